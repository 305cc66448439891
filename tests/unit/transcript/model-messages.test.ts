import { expect, test } from 'vitest'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { projectMessages, projectModelMessages } from '../../../shared/engine/transcript/model-messages.ts'
import { asked, call, decided, failed, returned, said, started, step, tools } from './entries.ts'

const settings = { tools, maxAttempts: 3 }
/** As `started` says. */
const time = '(Not from the user: it is 2026-11-22T06:12Z.)\n\n'
const read = (entries: Entry[]) => projectModelMessages(entries, settings)

test('a failed call is a question to the model, and JSON to other programs', () => {
  const entries = [
    said('Send it'),
    started,
    ...step('', call('a', 'send_email', {})),
    failed('a', 'Question: To whom?', { status: 'rejected' }),
  ]
  expect(read(entries).at(-1)?.content).toMatch(
    /^Question: To whom\?\nsend_email, attempt 1 of 3: missing_parameter "to"/,
  )
  expect(JSON.parse(String(projectMessages(entries, settings).at(-1)?.content))).toMatchObject({
    ok: false,
    error: 'Question: To whom?',
  })
})

test('every call has exactly one message, in the order of the calls, once all have ended', () => {
  const calls = [call('a', 'read_mail', {}), call('b', 'send_email', { to: 'x' })]
  const begun = [said('Go'), started, ...step('I look.', ...calls), returned('b', 2)]
  expect(read(begun).map(({ role }) => role)).toEqual(['user'])
  const messages = read([...begun, returned('a', 1)])
  expect(messages.slice(1)).toMatchObject([
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'tool', tool_call_id: 'b', content: '2' },
  ])
})

test('a call that never ended before the next message is told as lost', () => {
  const messages = read([
    said('Go'),
    started,
    ...step('', call('a', 'send_email', { to: 'x' })),
    said('Hello?'),
  ])
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(messages[2]?.content).toContain('not known')
})

test('a decision is said in the name of the user, and the call that goes on has an id of its own', () => {
  const entries: Entry[] = [
    said('Go'),
    started,
    ...step('', call('a', 'send_email', { to: 'x' })),
    asked('approval', 'a', { arguments: { to: 'x' } }),
    { type: 'run-end', status: 'needs_approval', text: 'Send it?' },
    started,
    decided('a', 'approve'),
    call('a', 'send_email', { to: 'x' }, { messageId: 'b', approved: true }),
    returned('a', 'sent'),
  ]
  expect(read(entries).slice(1)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'a' }] },
    { role: 'tool', tool_call_id: 'a' },
    { role: 'assistant', content: 'Send it?' },
    { role: 'user', content: `${time}Yes, call send_email.` },
    { role: 'assistant', tool_calls: [{ id: 'b' }] },
    { role: 'tool', tool_call_id: 'b', content: 'sent' },
  ])
})

test('an answer that led nowhere and an unfinished step leave no message', () => {
  const entries: Entry[] = [
    said('Go'),
    started,
    ...step(''),
    { type: 'nudge', stall: 'empty' },
    { type: 'step-start' },
    { type: 'model-text', text: 'I' },
    started,
    ...step('Hello.'),
    { type: 'run-end', status: 'completed' },
  ]
  expect(read(entries)).toEqual([
    { role: 'user', content: `${time}Go` },
    { role: 'assistant', content: 'Hello.' },
  ])
})

test('foreign turns stand before the message they came with', () => {
  const entries: Entry[] = [
    {
      type: 'user-message',
      content: 'And now?',
      earlier: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
      ],
    },
  ]
  expect(read(entries).map(({ content }) => content)).toEqual(['Hi', 'Hello.', 'And now?'])
})

test('a history of any length is read', () => {
  const turns = Array.from({ length: 200_000 }, () => ({ role: 'user' as const, content: 'x' }))
  const notes = Array.from({ length: 200_000 }, () => ({ role: 'system' as const, content: 'x' }))
  const messages = read([{ type: 'user-message', content: 'Go', earlier: [...turns, ...notes] }])
  expect(messages).toHaveLength(200_001)
})
