import { expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { projectModelMessages } from '../../../shared/engine/transcript/model-messages.ts'
import { fitRequest } from '../../../shared/engine/window/fit-request.ts'
import { withoutTime } from '../../../support/without-time.ts'
import {
  asked,
  call,
  decided,
  failed,
  returned,
  said,
  started,
  step,
  tools as usual,
} from '../transcript/entries.ts'
import { words } from './conversation.ts'

const document: ToolSpecification = {
  name: 'read_document',
  description: 'Reads a document.',
  effect: 'read',
  parameters: { type: 'object', properties: { document_id: { type: 'string' }, from: { type: 'integer' } } },
  readsOn: { parameter: 'from', text: 'content' },
}
const tools = new Map([...usual, [document.name, document]])
const ended: Entry = { type: 'run-end', status: 'completed' }
const turn = (text: string, ...entries: Entry[]): Entry[] => [
  said(text),
  started,
  ...entries,
  ...step('Done.'),
  ended,
]
const read = (id: string, length: number): Entry[] => [
  ...step('', call(id, 'read_mail', {})),
  returned(id, { text: words(length) }),
]

/** As the model reads it in a room of so many tokens. */
function cut(entries: Entry[], tokens: number) {
  const messages = projectModelMessages(entries, { tools, maxAttempts: 3 })
  return fitRequest({ messages, tools: [] }, { tokens, scale: 1, cutScale: 1 })
}

test('of turns that are left out, it is told what was done and what may have been, and nothing else', () => {
  const entries = [
    ...turn(
      'Write to Ada',
      ...step('', call('a', 'send_email', { to: 'ada@example.com' })),
      returned('a', { message_id: 'm1' }, { summary: 'Sent "Hi" to "ada@example.com"' }),
    ),
    ...turn(
      'Write to Bob',
      ...step('', call('b', 'send_email', { to: 'bob@example.com' })),
      failed('b', 'It timed out.', { status: 'unknown' }),
      ...step('', call('c', 'send_email', {})),
      failed('c', 'Question: To whom?', { status: 'rejected' }),
    ),
    ...turn('Read it', ...read('d', 20_000)),
    said(`And now? ${words(2000)}`),
  ]
  const { request, cut: what, fits } = cut(entries, 800)
  expect(fits).toBe(true)
  expect(what).toEqual({ results: 0, texts: 0, turns: 3, ofThisTurn: 0 })
  expect(String(request.messages[0]?.content).split('\n').slice(1)).toEqual([
    'What was done there (all):',
    '- Sent "Hi" to "ada@example.com" -> {"message_id":"m1"}',
    '- This may have been done, Send an email: {"to":"bob@example.com"})',
  ])
  expect(request.messages.slice(2).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^And now\?/),
  ])
})

test('a decision goes on with its turn, whose result is cut, with a word on how to read on', () => {
  const entries: Entry[] = [
    ...turn('Hello', ...read('a', 9000)),
    said('Write to Ada what it says'),
    started,
    ...read('b', 30_000),
    ...step('', call('c', 'send_email', { to: 'ada@example.com' })),
    asked('approval', 'c', { arguments: { to: 'ada@example.com' } }),
    { type: 'run-end', status: 'needs_approval', text: 'Send it?' },
    started,
    decided('c', 'approve'),
    call('c', 'send_email', { to: 'ada@example.com' }, { messageId: 'c2', approved: true }),
    returned('c', { sent: words(3000) }),
  ]
  const { request, cut: what, fits } = cut(entries, 4000)
  expect(fits).toBe(true)
  expect(what).toEqual({ results: 0, texts: 0, turns: 1, ofThisTurn: 1 })
  expect(withoutTime(request.messages[2]?.content)).toBe('Write to Ada what it says')
  expect(request.messages[4]?.content).toMatch(/left out here.*\nThis result is cut, .* call read_mail again/)
  expect(request.messages.at(-1)?.content).toBe(JSON.stringify({ sent: words(3000) }))
})

test('a text that can be read on is cut so that the next call begins where it ends', () => {
  const text = words(30_000)
  const entries: Entry[] = [
    said('Read the plan'),
    started,
    ...step('', call('a', 'read_document', { document_id: 'd1' })),
    returned('a', { title: 'Plan', content: text }),
  ]
  const { request, cut: what } = cut(entries, 3000)
  expect(what?.ofThisTurn).toBe(1)
  const content = String(request.messages.at(-1)?.content)
  const next = Number(/call again with from: (\d+) for more/.exec(content)?.[1])
  expect(next).toBeGreaterThan(3000)
  expect(content).toContain(JSON.stringify({ title: 'Plan', content: text.slice(0, next) }))
})

test('of a document that was cut before, the model is not told that it ends there', () => {
  const text = words(20_000)
  const entries = [
    said('Read the plan'),
    started,
    ...step('', call('r1', 'read_document', { document_id: 'd1', from: 500 })),
    {
      ...returned('r1', { content: text }),
      note: 'From 500 on, 20000 of 90000 characters shown; …',
    } as Entry,
  ]
  const content = String(cut(entries, 3000).request.messages.at(-1)?.content)
  expect(content).toMatch(
    /From 500 on, \d+ of at least 20\d{3} characters shown; call again with from: \d+ for more\.$/,
  )
})

test('a result of an earlier turn is told as its brief, with its ids', () => {
  const mails = Array.from({ length: 8 }, (_, index) => ({ id: `id-${index}`, text: words(1500) }))
  const entries = [
    ...turn('Read', ...step('', call('a', 'read_mail', {})), returned('a', { mails })),
    ...turn('Go on', ...read('b', 12_000)),
    said('And now?'),
  ]
  const { request, cut: what } = cut(entries, 4900)
  expect(what).toEqual({ results: 1, texts: 0, turns: 0, ofThisTurn: 0 })
  const content = String(request.messages[2]?.content)
  expect(JSON.parse(content.split('\n')[0] ?? '').mails).toHaveLength(8)
  expect(content).toContain('"id":"id-7"')
  expect(content).toMatch(/\nThis is a brief of an earlier output/)
})
