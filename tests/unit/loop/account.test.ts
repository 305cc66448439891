import { expect, test } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { outcomeUnknown } from '../../../shared/engine/failures/outcome-unknown.ts'
import { summarize } from '../../../shared/engine/loop/ending/summary.ts'
import type { EndedCall } from '../../../shared/engine/transcript/answer.ts'
import { sayTexts } from '../../../shared/engine/transcript/own-words.ts'
import { english } from '../../../shared/words/languages/english.ts'

const send: ToolSpecification = {
  name: 'send_email',
  description: 'Sends an email.',
  effect: 'write',
  confirm: 'Send "{subject}" to {to}?',
  summary: 'Sent "{subject}" to {to}',
  parameters: { type: 'object', properties: { to: { type: 'string' }, subject: { type: 'string' } } },
}
const missing = toolError('missing_parameter', 'Question: Who should I send this email to?')
const refused = toolError('execution_error', 'The mail server refused it.')

function use(intent: number, to: string, result: Partial<EndedCall>): EndedCall {
  return {
    toolCallId: `${intent} ${to}`,
    toolName: send.name,
    intent,
    attempt: 1,
    tries: 1,
    input: { to, subject: 'Lunch' },
    ok: false,
    startedAt: '2026-11-22T07:05:10Z',
    durationMs: 1,
    ...result,
  }
}

const tell = (...uses: EndedCall[]) => {
  const tools = new Map([[send.name, send]])
  const [, ...said] = summarize({ code: 'stopped' }, uses, tools)
  return sayTexts(english, said, undefined, tools).map(({ text }) => text)
}

test('attempts at one thing get one verdict, the last one', () => {
  const first = use(1, '', { tries: 0, error: missing })
  expect(tell(first, use(1, 'ada', { ok: true }))).toEqual(['Sent "Lunch" to "ada".'])
  expect(tell(first, use(1, 'ada', { error: outcomeUnknown() }))).toEqual([
    'This may have been done, but no confirmation arrived: Send "Lunch" to "ada".',
  ])
  expect(tell(first, use(1, 'ada', { error: refused }))).toEqual([
    'Nothing was carried out.',
    'Not done: Send "Lunch" to "ada". The mail server refused it.',
  ])
})

test('what may have been done stays unknown when another attempt at it fails, and is done when one succeeds', () => {
  const lost = use(1, 'ada', { error: outcomeUnknown() })
  expect(tell(lost, use(1, 'ada', { error: refused }))).toEqual([
    'This may have been done, but no confirmation arrived: Send "Lunch" to "ada".',
  ])
  expect(tell(lost, use(1, 'ada', { ok: true }))).toEqual(['Sent "Lunch" to "ada".'])
})

test('another thing has a verdict of its own', () => {
  expect(tell(use(1, 'ada', { error: outcomeUnknown() }), use(2, 'bob', { error: refused }))).toEqual([
    'This may have been done, but no confirmation arrived: Send "Lunch" to "ada".',
    'Not done: Send "Lunch" to "bob". The mail server refused it.',
  ])
})

test('a few writes are named, many are counted', () => {
  const sent = ['ada', 'bob', 'cleo', 'dora'].map((to, index) => use(index + 1, to, { ok: true }))
  expect(tell(...sent.slice(0, 2))).toEqual(['Sent "Lunch" to "ada".', 'Sent "Lunch" to "bob".'])
  expect(tell(...sent)).toEqual(['Done: Send email (4 times).'])
})
