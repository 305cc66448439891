import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call, Entry, Result } from '../../shared/engine/transcript/entry.ts'
import type { UnreportedWrite } from '../../supabase/functions/chat/entries/unreported-write.ts'
import type { LoadedTurn } from '../../supabase/functions/chat/turn/loaded-turn.ts'
import { readPriorWrites, readTranscript } from '../../supabase/functions/chat/turn/transcript.ts'
import { knownWrite } from '../../support/known-write.ts'

const call = (toolCallId: string): Call => ({
  type: 'call',
  toolCallId,
  name: 'smtp_send_email',
  rawArguments: '{}',
  toolName: 'smtp_send_email',
  effect: 'write',
  prepared: true,
  input: {},
  repairs: [],
  intent: 1,
  attempt: 1,
  startedAt: '2026-11-22T06:12:00.000Z',
})
const started: Entry[] = [{ type: 'run-start', runId: 'r', now: '2026-11-22T06:12Z' }, { type: 'step-start' }]
const stepEnd: Entry = {
  type: 'step-end',
  provider: 'p',
  model: 'm',
  finishReason: 'tool_calls',
  usage: { inputTokens: 1, outputTokens: 1 },
  durationMs: 1,
}
const said: Entry = { type: 'user-message', content: 'Write to Ada.' }
const sent: Result = {
  type: 'result',
  toolCallId: '1',
  status: 'succeeded',
  result: { ok: true, data: { id: 7 } },
  tries: 1,
  durationMs: 5,
}

const outcome = (errorType: 'missing_parameter') => ({
  ok: false as const,
  error: 'Question: To whom?',
  errorType,
  resolver: 'model' as const,
  details: {},
})

/** The results that the transcript has of an earlier turn with these entries, when the ledger says this. */
function resultsOf(entries: Entry[], write?: Partial<UnreportedWrite>, later: Entry[] = []) {
  const unreportedWrites = write
    ? [{ toolCallId: '1', status: 'unknown' as const, result: null, durationMs: null, ...write }]
    : []
  const history = [
    { id: 'u1', role: 'user' as const, entries: [said] },
    { id: 'a1', role: 'assistant' as const, entries },
    { id: 'u2', role: 'user' as const, entries: [said, ...later] },
  ]
  const transcript = readTranscript({
    history,
    olderMessages: 0,
    entries: [],
    unreportedWrites,
    tools: [],
  } as unknown as LoadedTurn)
  return transcript.filter((entry) => entry.type === 'result')
}

test('what the ledger knows of a call of an earlier turn is its end', () => {
  const dead = [...started, call('1'), stepEnd]
  const [known] = resultsOf(dead, { status: 'succeeded', result: sent.result, durationMs: 5 })
  assert.deepEqual(known, sent)
  const [unknown] = resultsOf(dead, { status: 'unknown' })
  assert.equal(unknown?.status, 'unknown')
  assert.equal(unknown?.result.ok === false && unknown.result.errorType, 'outcome_unknown')
  const refused = {
    ok: false as const,
    error: 'No.',
    errorType: 'conflict' as const,
    resolver: 'model' as const,
    details: {},
  }
  assert.deepEqual(resultsOf(dead, { status: 'failed', result: refused })[0]?.result, refused)
  // Called off, or never claimed.
  for (const write of [{ status: 'failed' as const }, { status: 'cancelled' as const }, undefined]) {
    const [never] = resultsOf(dead, write)
    assert.deepEqual([never?.status, never?.tries], ['cancelled', 0])
  }
})

test('a write of an earlier turn that its run is still doing is left to that run: nobody is asked about it', () => {
  const transcript = [...started, call('1'), stepEnd]
  const [running] = resultsOf(transcript, { status: 'running' })
  assert.deepEqual([running?.status, running?.tries], ['cancelled', 1])
  assert.match(running?.result.ok === false ? running.result.error : '', /still running/)
})

test('of a result that the ledger has whole, the model reads the beginning', () => {
  const whole = { ok: true as const, data: 'x'.repeat(100_000) }
  const [end] = resultsOf([...started, call('1'), stepEnd], { status: 'succeeded', result: whole })
  assert.ok(end && JSON.stringify(end).length < 34_000)
  assert.match(end.note ?? '', /shortened/)
  const priorWrites = [{ write: knownWrite({ result: whole }), isEarlier: false, isAsked: false, done: null }]
  const [prior] = readPriorWrites({ priorWrites, history: [] } as unknown as LoadedTurn)
  assert.ok(JSON.stringify(prior).length < 34_000)
})

test('a write of an earlier turn with an unknown outcome is told by the entries, or counts where these no longer have it', () => {
  const write = knownWrite({ toolCallId: '1', status: 'unknown' })
  const priorWrites = [{ write, isEarlier: true, isAsked: false, done: null }]
  const message = { id: 'a', role: 'assistant', entries: [...started, call('1'), stepEnd] }
  const read = (history: object[]) => readPriorWrites({ priorWrites, history } as unknown as LoadedTurn)
  assert.deepEqual(read([message]), [])
  const { toolName, arguments: args, at, repetition, status } = write
  assert.deepEqual(read([]), [{ toolName, arguments: args, at, repetition, status, isEarlier: true }])
})

test('a call has one end', () => {
  const whole = [...started, call('1'), stepEnd, sent]
  assert.deepEqual(resultsOf(whole, { status: 'unknown' }), [sent])
  // It was put to the user in a later turn.
  assert.deepEqual(resultsOf([...started, call('1'), stepEnd], { status: 'unknown' }, [sent]), [sent])
})

test('a call that was refused, answered in a form and carried out by a process that died ends twice', () => {
  const refused: Result = { ...sent, status: 'rejected', result: outcome('missing_parameter'), tries: 0 }
  const again: Entry[] = [...started.slice(0, 1), call('1')]
  const answered = [...started, call('1'), stepEnd, refused, ...again]
  assert.deepEqual(resultsOf(answered, { status: 'succeeded', result: sent.result, durationMs: 5 }), [
    refused,
    sent,
  ])
})

test('a write that was denied again, and of which the ledger learned later that it was done, ends as done', () => {
  const denied: Result = {
    ...sent,
    status: 'rejected',
    result: { ...outcome('missing_parameter'), errorType: 'approval_denied', resolver: 'user' },
    tries: 0,
  }
  const entries = [...started, call('1'), stepEnd, denied]
  assert.deepEqual(resultsOf(entries, { status: 'succeeded', result: sent.result }), [{ ...sent, tries: 1 }])
  for (const status of ['unknown', 'failed', 'running'] as const) {
    assert.deepEqual(resultsOf(entries, { status }), [denied])
  }
})

test('a step that was not complete never was', () => {
  assert.deepEqual(resultsOf([...started, call('1')]), [])
  assert.deepEqual(
    resultsOf([...started, call('1'), ...started, call('2'), stepEnd]).map((end) => end.toolCallId),
    ['2'],
  )
})

test('a call that somebody can still decide on has no end; the clock has lost its own', () => {
  const asked = (kind: 'approval' | 'wait'): Entry => ({
    type: 'question',
    itemId: '1.a',
    intent: 1,
    askedAt: '2026-11-22T07:05:00.000Z',
    kind,
    toolCallId: '1',
    toolName: 'smtp_send_email',
    question: 'May I?',
    arguments: {},
    open: [],
  })
  const parked = [...started, call('1'), stepEnd]
  assert.deepEqual(resultsOf([...parked, asked('approval')]), [])
  assert.equal(resultsOf([...parked, asked('wait')])[0]?.status, 'cancelled')
  // Decided, and its process died before it ran.
  const decided: Entry[] = [
    asked('approval'),
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'approve' },
    call('1'),
  ]
  assert.equal(resultsOf([...parked, ...decided], { status: 'unknown' })[0]?.status, 'unknown')
})

test('what is long in an earlier turn is brief, the first message tells how many are older, and the rest is unchanged', () => {
  const text = 'It says what was agreed. '.repeat(400)
  const read: Result = { ...sent, result: { ok: true, data: { id: 'doc-1', text } } }
  const long: Entry = { type: 'user-message', content: 'It was said again. '.repeat(5000) }
  const history = [
    { id: 'u1', role: 'user', entries: [said] },
    { id: 'a1', role: 'assistant', entries: [...started, call('1'), stepEnd, read] },
    { id: 'u2', role: 'user', entries: [long] },
    { id: 'u3', role: 'user', entries: [long] },
  ]
  const loaded = { history, olderMessages: 40, entries: [read], unreportedWrites: [], tools: [] }
  const transcript = readTranscript(loaded as unknown as LoadedTurn)
  assert.deepEqual(transcript[0], { ...said, older: 40 })
  const [earlier, own] = transcript.filter((entry) => entry.type === 'result')
  assert.equal(earlier?.brief, true)
  assert.match(earlier?.note ?? '', /call the tool again/)
  assert.deepEqual(own, read)
  const [, cut, whole] = transcript.filter((entry) => entry.type === 'user-message')
  assert.deepEqual(cut?.cut, { quotes: false })
  assert.deepEqual(whole, long)
})

test('nothing is added to what the run itself goes on with', () => {
  const entries = [...started, call('1'), stepEnd]
  const history = [{ id: 'u1', role: 'user', entries: [said] }]
  const unreportedWrites = [{ toolCallId: '1', status: 'unknown', result: null, durationMs: null }]
  const loaded = { history, olderMessages: 0, entries, unreportedWrites, tools: [] }
  const transcript = readTranscript(loaded as unknown as LoadedTurn)
  assert.deepEqual(transcript, [said, ...entries])
})
