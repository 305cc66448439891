import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { hasNewWords } from '../../../shared/engine/provenance/new-words.ts'

const text = { type: 'string' }

const tool: ToolSpecification = {
  name: 'send_email',
  description: 'Sends.',
  effect: 'write',
  parameters: { type: 'object', properties: { subject: text, body: text } },
}

const today = ['11-28-2026']

interface Since {
  typed?: string[]
  forms?: unknown[]
  known?: unknown[]
}

const isNew = (args: Record<string, unknown>, { typed = [], forms = [], known = [] }: Since) =>
  hasNewWords(tool, args, { typed, forms, known }, today)

test.each([
  ['a Korean sentence', '방은 사층 입니다', '방은 사층 입니다'],
  ['a Thai one', 'ห้องประชุมอยู่ชั้นสี่', 'บอกเธอด้วยว่าห้องประชุมอยู่ชั้นสี่'],
  ['one in decomposed letters', 'Wir treffen uns in Zu\u0308rich', 'Sag ihr: wir treffen uns in Zürich'],
  ['one in full-width letters', 'The room is ４.１２', 'Also tell her: the room is 4.12'],
  ['one with a mark for its direction', '\u200fالغرفة في الطابق الرابع', 'الغرفة في الطابق الرابع'],
  ['one with other hyphens', 'See you at the kick\u2011off', 'tell her: see you at the kick-off'],
  ['one in other quotes', 'She said “the room is 4.12” today', 'tell her "the room is 4.12"'],
  ['one that ends otherwise', '**The room is 4.12** 🎉', 'tell her that the room is 4.12'],
  ['one of a pasted line', 'The room is 4.12', 'Tell her:\nThe room is 4.12\nThanks'],
])('%s of a text that was typed since is new', (_, body, typed) => {
  expect(isNew({ body: `Hi.\n${body}` }, { typed: [typed] })).toBe(true)
})

test('so is a line that was typed into a form', () => {
  const form = { body: 'Hello\nThe "big" room is 4.12' }
  expect(isNew({ body: 'Hi.\nThe "big" room is 4.12' }, { forms: [form] })).toBe(true)
})

test.each([
  ['two Korean words', 'Hi.\n정말 감사합니다', '정말 감사합니다'],
  ['a part of Korean words', 'Hi.\n사합니다방은사', '감사합니다방은사층'],
  ['a German word in a longer one', 'Raum', 'Die Raumplanung ist fertig'],
  ['the date of today', 'Hello\n28 11 2026', 'on 28 11 2026'],
  ['small numbers', 'Hello\n1 2 3', 'Thanks, 1 2 3'],
])('%s are not', (_, body, typed) => {
  expect(isNew({ body }, { typed: [typed] })).toBe(false)
})

test.each([
  ['in other letters', 'Room 4.12', 'Room 4.12, right?', 'Write to Ada about room 4.12'],
  ['with other marks', 'Lunch today at noon', 'Lunch today at noon', 'Lunch, today: at noon!'],
  [
    'with other hyphens',
    'The kick-off is on Monday',
    'the kick-off is on Monday',
    'the kick\u2011off is on Monday',
  ],
])('nor is what was known %s', (_, subject, typed, known) => {
  expect(isNew({ subject }, { typed: [typed] })).toBe(true)
  expect(isNew({ subject }, { typed: [typed], known: [{ body: known }] })).toBe(false)
})

test('another number is new', () => {
  const known = [{ body: 'The room is 4.12' }]
  expect(isNew({ body: 'Hi.\nThe room is 4' }, { typed: ['No, the room is 4'], known })).toBe(true)
})

test.each(['-', ',', '.', ' -'])('a long run of "%s" is read once', (mark) => {
  expect(isNew({ body: `Hi Ada ${mark.repeat(100_000)}x and b` }, { typed: ['Thanks for all'] })).toBe(false)
})

test('many sentences are looked for in long messages', () => {
  const body = Array.from({ length: 500 }, (_, number) => `Sentence number ${number} is here.`).join('\n')
  const typed = Array.from({ length: 50 }, () => 'The quick brown fox, jumps over it. '.repeat(300))
  expect(isNew({ body }, { typed })).toBe(false)
  expect(isNew({ body }, { typed: [...typed, 'Sentence number 499 is here'] })).toBe(true)
})
