import { expect, test } from 'vitest'
import { AnswerContent } from '../../../supabase/functions/chat/openai/answer-content.ts'

function tell(pieces: string[], { news = [] as string[], given = '', last = '' } = {}): string[] {
  const told: string[] = []
  const content = new AnswerContent({ news, given }, (text) => told.push(text))
  for (const piece of pieces) content.push(piece)
  content.end(last)
  expect(told.join('')).toBe(content.sent)
  return told
}

test('an answer is told piece by piece, what waits for somebody last', () => {
  expect(tell(['I ', 'ask.'], { last: '\n\nHere.' })).toEqual(['I ', 'ask.', '\n\nHere.'])
})

test('what is news comes first, also where the answer has no words', () => {
  expect(tell(['Hi', '.'], { news: ['Sent A.', 'Sent B.'] })).toEqual(['Sent A.\nSent B.\n\nHi', '.'])
  expect(tell([], { news: ['Sent A.'] })).toEqual(['Sent A.'])
})

test('of an answer whose beginning the client has it gets the rest', () => {
  expect(tell(['I sent', ' it to', ' Ada.'], { given: 'I sent it' })).toEqual([' to', ' Ada.'])
  expect(tell(['I sent it.'], { given: 'I sent it.' })).toEqual([])
  expect(tell(['A.'], { given: 'A.\n\nHere.', last: '\n\nHere.' })).toEqual([])
})

test('an answer that is another one is told whole on a new line, one that is shorter too', () => {
  expect(tell(['I sent', ' none.'], { given: 'I sent it' })).toEqual(['\n\nI sent none.'])
  expect(tell(['I sent'], { given: 'I sent it' })).toEqual(['\n\nI sent'])
  expect(tell(['Yes.', ' No.'], { given: 'I sent it', news: ['Sent A.'] })).toEqual([
    '\n\nSent A.\n\nYes.',
    ' No.',
  ])
})

test('what is news stands in a paragraph of its own behind an answer that is continued', () => {
  expect(tell(['I sent it to Ada.'], { given: 'I sent it', news: ['Sent A.'] })).toEqual([
    '\n\nSent A.\n\n to Ada.',
  ])
})
