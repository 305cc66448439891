import { expect, test } from 'vitest'
import { projectAnswer } from '../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { asked, call, decided, failed, returned, said, started, step, tools } from './entries.ts'

const turn = (...entries: Entry[]): Entry[] => [said('Write to ada@example.com'), started, ...entries]
const completed: Entry = { type: 'run-end', status: 'completed' }

test('the last words of the model are the text of a completed run', () => {
  const answer = projectAnswer(
    turn(...step('Let me see.', call('a', 'read_mail', {})), returned('a', []), ...step('Done.'), completed),
    tools,
  )
  expect(answer).toMatchObject({ status: 'completed', text: 'Done.' })
  expect(answer.usage).toEqual({ inputTokens: 20, outputTokens: 10, modelCalls: 2 })
  expect(answer.pending).toBeUndefined()
})

test('words of ours win over those of the model', () => {
  const end: Entry = { type: 'run-end', status: 'failed', text: 'Stopped.' }
  expect(projectAnswer(turn(...step('I will'), end), tools)).toMatchObject({
    status: 'failed',
    text: 'Stopped.',
  })
})

test('tools used stand in the order of their beginning: of a step the reads first, whichever ended first', () => {
  const calls = [
    call('w', 'send_email', { to: 'a' }),
    call('r1', 'read_mail', {}),
    call('r2', 'read_mail', {}),
  ]
  const { toolsUsed } = projectAnswer(
    turn(...step('', ...calls), returned('r2', 2), returned('r1', 1), returned('w', 3), completed),
    tools,
  )
  expect(toolsUsed.map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
    ['r1', 1],
    ['r2', 2],
    ['w', 3],
  ])
})

test('a step that was never finished is no part of the answer', () => {
  const broken: Entry[] = [{ type: 'step-start' }, call('lost', 'send_email', { to: 'a' })]
  const { toolsUsed, usage } = projectAnswer(turn(...broken, started, ...step('Done.'), completed), tools)
  expect([toolsUsed, usage.modelCalls]).toEqual([[], 1])
})

test('a question is pending until it is decided, with the form of its open places', () => {
  const question = asked('input', 'a', {
    asked: 'To whom?',
    arguments: { to: '<recipient>', subject: 'Hi' },
    open: ['to'],
  })
  const waiting = turn(
    ...step('', call('a', 'send_email', { subject: 'Hi' })),
    failed('a', 'Question: To whom?'),
    question,
    { type: 'run-end', status: 'needs_input', text: 'To whom?' },
  )
  expect(projectAnswer(waiting, tools)).toMatchObject({
    status: 'needs_input',
    pending: [
      {
        type: 'input',
        question: 'Question: To whom?',
        values: { subject: 'Hi' },
        schema: { required: ['to'] },
      },
    ],
  })
  const entries: Entry[] = [
    ...waiting,
    started,
    decided('a', 'answer', { values: { to: 'ada@example.com' } }),
    completed,
  ]
  expect(projectAnswer(entries, tools).pending).toBeUndefined()
})

test('what is pending is told in the order of the calls, whichever asked first', () => {
  const entries = turn(
    ...step('', call('a', 'send_email', {}), call('b', 'send_email', {})),
    asked('approval', 'b', { intent: 2 }),
    asked('approval', 'a', { intent: 1 }),
    { type: 'run-end', status: 'needs_approval', text: 'Send both?' },
  )
  expect(projectAnswer(entries, tools).pending?.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
})

test('an answer tells what happened since the one before, and a repeated call id only its own part', () => {
  const first = turn(
    ...step('', call('a', 'read_mail', {})),
    returned('a', 'old'),
    ...step('One.'),
    completed,
  )
  const second = [
    ...first,
    said('Again'),
    started,
    ...step('', call('a', 'read_mail', {})),
    returned('a', 'new'),
    ...step('Two.'),
    completed,
  ]
  expect(projectAnswer(second, tools)).toMatchObject({
    text: 'Two.',
    toolsUsed: [{ output: 'new' }],
    usage: { modelCalls: 2 },
  })
})
