import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolError } from '../../shared/engine/core/tool-error.ts'
import type { Entry } from '../../shared/engine/transcript/entry.ts'
import type { LoadedTurn } from '../../supabase/functions/chat/turn/loaded-turn.ts'
import { logEvent } from '../../supabase/functions/chat/turn/log-event.ts'

const specification = {
  name: 'send_email',
  description: '',
  effect: 'write',
  parameters: { type: 'object', properties: { to: { type: 'string' } } },
}
const turn = { runId: 'r', conversationId: 'c', entries: [], tools: [{ specification }] }

const step: Entry = {
  type: 'step-end',
  provider: 'groq',
  model: 'small',
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 0 },
  durationMs: 5,
}

function call(toolName: string): Entry {
  const made = { toolCallId: 'call-1', name: toolName, toolName, effect: 'write', prepared: true } as const
  const about = { input: {}, repairs: [], intent: 1, attempt: 2, startedAt: '2026-11-24T12:00:00Z' }
  return { type: 'call', ...made, ...about }
}

function failure(parameter: string): Extract<Entry, { type: 'result' }> {
  const result = toolError('missing_parameter', 'Question: To whom?', { details: { parameter } })
  return { type: 'result', toolCallId: 'call-1', status: 'rejected', result, tries: 0, durationMs: 1.4 }
}

/** The lines that the last of these entries leaves in the log. */
function logged(...entries: Entry[]): unknown[] {
  const lines: unknown[] = []
  const write = console.log
  console.log = (line) => lines.push(JSON.parse(line))
  try {
    logEvent(turn as unknown as LoadedTurn, entries, entries.at(-1) as Entry)
  } finally {
    console.log = write
  }
  return lines
}

const run = { runId: 'r', conversationId: 'c' }

test('a failed call names its tool, parameter and attempt', () => {
  assert.deepEqual(logged(call('send_email'), failure('to')), [
    {
      event: 'tool-failure',
      ...run,
      toolCallId: 'call-1',
      tool: 'send_email',
      attempt: 2,
      parameter: 'to',
      errorType: 'missing_parameter',
      resolver: 'model',
      status: 'rejected',
      tries: 0,
      durationMs: 1,
    },
  ])
})

test('names that a model made up are not logged', () => {
  const text = JSON.stringify(logged(call('tell_ada_that_i_quit'), failure('my_reasons')))
  assert.match(text, /an unknown tool/)
  assert.match(text, /an unknown parameter/)
  assert.doesNotMatch(text, /ada|reasons/)
})

test('a model that fails is logged with the cause in our words', () => {
  const failed = { errorType: 'web_page', why: 'localhost:1 answers with a web page, check OPENAI_BASE_URL' }
  const said = 'it failed: "what was written"'
  const retry = { model: 'small', attempt: 2, waitMs: 500, reason: said }
  assert.deepEqual(
    logged({ type: 'notice', notice: 'tool-refused', provider: 'any', model: 'small', tool: 'x', why: 'y' }),
    [{ event: 'tool-refused', ...run, provider: 'any', model: 'small', tool: 'x', why: 'y' }],
  )
  assert.deepEqual(
    logged({ type: 'notice', notice: 'model-failed', reason: said, failure: { model: 'small', ...failed } }),
    [{ event: 'model-failed', ...run, model: 'small', ...failed }],
  )
  const busy = { errorType: '503', why: 'it failed' }
  assert.deepEqual(logged({ type: 'notice', notice: 'model-retry', ...retry, failure: busy }), [
    { event: 'model-retry', ...run, model: 'small', attempt: 2, waitMs: 500, ...busy },
  ])
})

test('what a model reads, was sent and was not is logged in numbers', () => {
  const learned = { provider: 'any', model: 'small', window: 8192, sent: 9480, by: 'refusal' } as const
  assert.deepEqual(logged({ type: 'notice', notice: 'window-learned', ...learned }), [
    { event: 'window-learned', ...run, ...learned },
  ])
  const cut = { window: 8192, sent: 5600, results: 2, texts: 1, turns: 4, ofThisTurn: 0 }
  assert.deepEqual(logged({ ...step, cut }), [
    { event: 'request-cut', ...run, provider: step.provider, model: step.model, ...cut },
  ])
  const failure = { errorType: '400', why: 'the request is longer', sent: 9480, window: 8192 }
  const failed = { provider: 'any', model: 'small', ...failure }
  assert.deepEqual(logged({ type: 'notice', notice: 'model-failed', reason: 'said', failure: failed }), [
    { event: 'model-failed', ...run, ...failed },
  ])
})

test('an empty or unreadable answer is logged with the model that gave it, also when it was the last one', () => {
  const answered = { provider: 'groq', model: 'small', finishReason: 'stop' }
  assert.deepEqual(logged(step, { type: 'nudge', stall: 'malformed' }), [
    { event: 'model-asked-again', ...run, stall: 'malformed', ...answered },
  ])
  const silent = { code: 'model_silent', text: 'The language model gave no answer.' } as const
  assert.deepEqual(logged(step, { type: 'run-end', status: 'failed', text: '', ours: [silent] }), [
    { event: 'model-silent', ...run, ...answered },
  ])
  assert.deepEqual(logged(step, { type: 'run-end', status: 'completed' }), [])
})
