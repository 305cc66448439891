import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import { english } from '../../shared/words/languages/english.ts'
import { endInterrupted } from '../../supabase/functions/chat/answer/interrupted-message.ts'
import { projectParts } from '../../supabase/functions/chat/answer/ui-message.ts'

const tool = {
  name: 'send_email',
  description: '',
  parameters: { type: 'object' as const },
  effect: 'write' as const,
}
const tools = new Map([[tool.name, tool]])
const call: Entry = {
  type: 'call',
  toolCallId: '1',
  name: 'send_email',
  rawArguments: '{}',
  toolName: 'send_email',
  effect: 'write',
  prepared: true,
  input: {},
  repairs: [],
  intent: 1,
  attempt: 1,
}
const start: Entry = { type: 'run-start', runId: 'r', now: '2026-11-22T06:12Z' }
const asked: Entry[] = [
  start,
  {
    type: 'question',
    itemId: '1.a',
    intent: 1,
    askedAt: '2026-11-22T07:05:00.000Z',
    kind: 'approval',
    toolCallId: '1',
    toolName: 'send_email',
    question: 'May I?',
    arguments: {},
    open: [],
  },
  { type: 'run-end', status: 'needs_approval', text: 'May I?' },
]
const resumed: Entry[] = [
  start,
  { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'approve' },
  call,
]
const sent: Entry = {
  type: 'result',
  toolCallId: '1',
  status: 'succeeded',
  result: { ok: true, data: 7 },
  tries: 1,
  durationMs: 5,
}
const unreported = [{ toolCallId: '1', status: 'succeeded' as const, result: sent.result, durationMs: 5 }]

const show = (entries: Entry[], writes: typeof unreported = []) => {
  const parts = projectParts(endInterrupted(entries, writes, tools), tools, english)
  return [
    parts.find(({ toolCallId }) => toolCallId === '1')?.state,
    parts.some(({ text }) => String(text).startsWith('This was interrupted')),
  ]
}

test('a message whose run died tells what came of its calls, from the ledger or from its entries', () => {
  assert.deepEqual(show([...asked, ...resumed], unreported), ['output-available', true])
  assert.deepEqual(show([...asked, ...resumed, sent]), ['output-available', true])
})

test('a decision that a run died with is not waited for any more', () => {
  assert.deepEqual(show([...asked, ...resumed]), ['output-error', true])
})

test('a message that waits, or whose run has only begun to go on with it, is as it is', () => {
  for (const entries of [asked, [...asked, start]]) assert.equal(endInterrupted(entries, [], tools), entries)
})
