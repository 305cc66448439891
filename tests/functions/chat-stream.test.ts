import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolError } from '../../shared/engine/core/tool-error.ts'
import type { AgentEvent } from '../../shared/engine/loop/run/agent-response.ts'
import type { Call, Entry, QuestionEntry, Result } from '../../shared/engine/transcript/entry.ts'
import { english } from '../../shared/words/languages/english.ts'
import { openEventStream } from '../../supabase/functions/chat/stream/event-stream.ts'
import { MessageStream, type StreamEnd } from '../../supabase/functions/chat/stream/message-stream.ts'
import type { StreamPart } from '../../supabase/functions/chat/stream/stream-part.ts'
import { RunFeed } from '../../supabase/functions/chat/turn/run-feed.ts'

const place = { conversationId: 'conv-1', runId: 'run-1', messageId: 'msg-a' }
const name = 'smtp_send_email'
const tools = [{ name, description: 'Sends.', effect: 'write' as const, parameters: { type: 'object' } }]
const start = {
  type: 'start',
  messageId: 'msg-a',
  messageMetadata: { conversationId: 'conv-1', runId: 'run-1' },
}
const usage = { inputTokens: 10, outputTokens: 5, modelCalls: 2 }
const ended = (status: 'completed' | 'failed' | 'needs_approval'): StreamEnd => ({
  answer: { status, usage, pending: [], toolTimes: {} },
})

const begin: Entry = { type: 'run-start', runId: 'r', now: '2026-11-22T06:12Z' }
const stepEnd: Entry = {
  type: 'step-end',
  provider: 'p',
  model: 'm',
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
  durationMs: 1,
}
const call = (toolCallId: string, input: Record<string, unknown>): Call => ({
  type: 'call',
  toolCallId,
  name,
  toolName: name,
  effect: 'write',
  prepared: true,
  input,
  repairs: [],
  intent: 1,
  attempt: 1,
  startedAt: '2026-11-22T06:12:00.000Z',
})
const done = (toolCallId: string, data: unknown): Result => ({
  type: 'result',
  toolCallId,
  status: 'succeeded',
  result: { ok: true, data },
  tries: 1,
  durationMs: 1,
})
const input = { to: 'ann@example.com', subject: 'Hi' }
const asked: QuestionEntry = {
  type: 'question',
  itemId: 'call-2.a',
  intent: 2,
  askedAt: '2026-11-22T07:05:00.000Z',
  kind: 'approval',
  toolCallId: 'call-2',
  toolName: name,
  question: 'Question: May I send this?',
  arguments: input,
  open: [],
}
const decision = { messageId: 'msg-a', toolCallId: 'call-2', approvalId: asked.itemId, approved: true }
const asksForApproval: Entry[] = [
  begin,
  { type: 'step-start' },
  call('call-2', input),
  stepEnd,
  asked,
  { type: 'run-end', status: 'needs_approval', text: 'May I?' },
]
const approved = (args: Record<string, unknown> = input): Entry[] => [
  begin,
  { type: 'decision', itemId: 'call-2.a', toolCallId: 'call-2', decision: 'approve' },
  { ...call('call-2', args), approved: true },
  done('call-2', { messageId: '<1@x>' }),
]

function tellAll(
  events: readonly AgentEvent[],
  end: StreamEnd,
  { known = [], continued }: { known?: Entry[]; continued?: (typeof decision)[] } = {},
): StreamPart[] {
  const parts: StreamPart[] = []
  const message = new MessageStream(place, english, continued, (more) => parts.push(...more))
  message.start()
  message.onEntries(known, tools)
  for (const event of events) message.onEvent(event)
  message.end(end)
  // As clients get them.
  return JSON.parse(JSON.stringify(parts))
}
/** All but which attempt of what each call is: that has its own test. */
function tell(...told: Parameters<typeof tellAll>): StreamPart[] {
  return tellAll(...told).filter(({ type }) => type !== 'data-call')
}
const types = (parts: readonly StreamPart[]) => parts.map(({ type }) => type)
const finish = (finishReason: string, status: string) => ({
  type: 'finish',
  finishReason,
  messageMetadata: { status, usage, pending: [], toolTimes: {} },
})

test('a failed attempt and its correction: the parts, and not a key more', () => {
  const missing = toolError('missing_parameter', 'Question: Who?', { details: { parameter: 'to' } })
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'input-start', toolCallId: 'call-1', toolName: name },
      { type: 'input-delta', toolCallId: 'call-1', delta: '{"subject":"Hi"}' },
      call('call-1', { subject: 'Hi' }),
      stepEnd,
      { type: 'result', toolCallId: 'call-1', status: 'rejected', result: missing, tries: 0, durationMs: 0 },
      { type: 'step-start' },
      call('call-2', input),
      stepEnd,
      done('call-2', { messageId: '<1@x>' }),
      { type: 'step-start' },
      { type: 'text-delta', delta: ' ' },
      { type: 'text-delta', delta: 'Sent.' },
      { type: 'model-text', text: ' Sent.' },
      stepEnd,
      { type: 'run-end', status: 'completed' },
    ],
    ended('completed'),
  )
  assert.deepEqual(parts, [
    start,
    { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'call-1', toolName: name },
    { type: 'tool-input-delta', toolCallId: 'call-1', inputTextDelta: '{"subject":"Hi"}' },
    { type: 'tool-input-available', toolCallId: 'call-1', toolName: name, input: { subject: 'Hi' } },
    { type: 'tool-output-error', toolCallId: 'call-1', errorText: 'Question: Who?' },
    {
      type: 'data-tool-error',
      id: 'call-1',
      data: {
        toolCallId: 'call-1',
        attempt: 1,
        errorType: 'missing_parameter',
        parameter: 'to',
        code: 'missing_parameter',
        values: { words: 'Who?' },
      },
    },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'call-2', toolName: name, input },
    { type: 'tool-output-available', toolCallId: 'call-2', output: { messageId: '<1@x>' } },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: 't1' },
    { type: 'text-delta', id: 't1', delta: ' Sent.' },
    { type: 'text-end', id: 't1' },
    { type: 'finish-step' },
    finish('stop', 'completed'),
  ])
})

test('which attempt of what a call is, since when, and what it did stand beside it', () => {
  const facts = { toolCallId: 'call-1', intent: 1, startedAt: '2026-11-22T06:12:00.000Z' }
  const parts = tellAll(
    [
      begin,
      { type: 'step-start' },
      call('call-1', input),
      stepEnd,
      { ...done('call-1', { messageId: '<1@x>' }), summary: 'Sent "Hi" to "ann@example.com"' },
      { type: 'run-end', status: 'completed', text: 'Sent.' },
    ],
    ended('completed'),
  )
  assert.deepEqual(parts.slice(2, 6), [
    { type: 'tool-input-available', toolCallId: 'call-1', toolName: name, input },
    { type: 'data-call', id: 'call-1', data: facts },
    { type: 'tool-output-available', toolCallId: 'call-1', output: { messageId: '<1@x>' } },
    {
      type: 'data-call',
      id: 'call-1',
      data: { ...facts, summary: 'Sent "Hi" to "ann@example.com"', unasked: true },
    },
  ])
})

test("what a stopped run has written stays the model's, and what we say of it is another text", () => {
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'text-delta', delta: 'It is' },
      {
        type: 'run-end',
        status: 'failed',
        text: 'It is',
        ours: [{ code: 'stopped', text: 'Stopped.' }],
      },
    ],
    { ...ended('failed'), stopped: true },
  )
  assert.deepEqual(
    parts.filter(({ type }) => type.startsWith('text-') || type === 'start-step'),
    [
      { type: 'start-step' },
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'It is' },
      { type: 'text-start', id: 't2' },
      { type: 'text-delta', id: 't2', delta: 'Stopped.' },
      { type: 'text-end', id: 't1' },
      { type: 'text-end', id: 't2' },
    ],
  )
})

test('a model that is asked again is said while it is, and is no part of the message', () => {
  const events: Entry[] = [
    begin,
    { type: 'step-start' },
    stepEnd,
    { type: 'nudge', stall: 'empty' },
    { type: 'step-start' },
    { type: 'model-text', text: 'Hello.' },
    stepEnd,
    { type: 'run-end', status: 'completed' },
  ]
  const notices = (parts: StreamPart[]) => parts.filter(({ type }) => type === 'data-notice')
  assert.deepEqual(notices(tell(events, ended('completed'))), [
    {
      type: 'data-notice',
      data: { code: 'model_empty', text: 'The language model gave no answer. Asking again.' },
      transient: true,
    },
  ])
  assert.deepEqual(notices(tell([], ended('completed'), { known: events })), [])
})

test('what the model thinks is told while it is thought, and is over when it begins to speak', () => {
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'thought-delta', delta: 'They want ' },
      { type: 'thought-delta', delta: 'a greeting.' },
      { type: 'text-delta', delta: 'Hello.' },
      { type: 'thought', text: 'They want a greeting.' },
      { type: 'model-text', text: 'Hello.' },
      stepEnd,
      { type: 'run-end', status: 'completed' },
    ],
    ended('completed'),
  )
  assert.deepEqual(parts.slice(1, 8), [
    { type: 'start-step' },
    { type: 'reasoning-start', id: 't1' },
    { type: 'reasoning-delta', id: 't1', delta: 'They want ' },
    { type: 'reasoning-delta', id: 't1', delta: 'a greeting.' },
    { type: 'reasoning-end', id: 't1' },
    { type: 'text-start', id: 't2' },
    { type: 'text-delta', id: 't2', delta: 'Hello.' },
  ])
})

test('an open approval and its words stand in the last step', () => {
  const parts = tell(asksForApproval, ended('needs_approval'))
  assert.deepEqual(parts.slice(2), [
    { type: 'tool-input-available', toolCallId: 'call-2', toolName: name, input },
    { type: 'tool-approval-request', approvalId: asked.itemId, toolCallId: 'call-2' },
    { type: 'text-start', id: 't1' },
    { type: 'text-delta', id: 't1', delta: 'May I?' },
    { type: 'text-end', id: 't1' },
    { type: 'finish-step' },
    finish('tool-calls', 'needs_approval'),
  ])
})

test('a continuation is what is new: the outcome, and an input that was edited before it', () => {
  const goesOn = (args?: Record<string, unknown>) =>
    tell(
      [
        ...approved(args),
        { type: 'step-start' },
        { type: 'model-text', text: 'Sent.' },
        stepEnd,
        { type: 'run-end', status: 'completed' },
      ],
      ended('completed'),
      { known: asksForApproval, continued: [decision] },
    )
  const rest = ['start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish']
  assert.deepEqual(types(goesOn()), ['start', 'tool-output-available', ...rest])
  const edited = goesOn({ ...input, to: 'bob@example.com' })
  assert.deepEqual(types(edited), ['start', 'tool-input-available', 'tool-output-available', ...rest])
})

test('a call that waits with another one is closed, and has its own outcome after their decision', () => {
  const shared: QuestionEntry = { ...asked, together: ['call-3'] }
  const asks: Entry[] = [
    begin,
    { type: 'step-start' },
    call('call-2', input),
    call('call-3', input),
    stepEnd,
    shared,
    { type: 'run-end', status: 'needs_approval', text: 'May I?' },
  ]
  const before = types(tell(asks, ended('needs_approval')))
  assert.equal(before.filter((type) => type === 'tool-approval-request').length, 1)
  assert.equal(before.filter((type) => type === 'tool-output-error').length, 1)
  const goesOn: Entry[] = [
    ...approved(),
    { ...call('call-3', input), approved: true },
    done('call-3', { messageId: '<2@x>' }),
    { type: 'run-end', status: 'completed', text: 'Sent.' },
  ]
  const after = tell(goesOn, ended('completed'), { known: asks, continued: [decision] })
  assert.deepEqual(types(after).slice(0, 3), ['start', 'tool-output-available', 'tool-output-available'])
})

test('a late tab gets the outcome of what it decided, from the entries alone', () => {
  const known = [
    ...asksForApproval,
    ...approved(),
    { type: 'run-end', status: 'completed', text: 'Sent.' } as Entry,
  ]
  const parts = tell([], ended('completed'), { known, continued: [decision] })
  assert.deepEqual(types(parts).slice(0, 3), ['start', 'tool-output-available', 'start-step'])
})

test('nothing new is a step with metadata, so that clients do not ask again', () => {
  const parts = tell([], ended('needs_approval'), { known: asksForApproval, continued: [] })
  assert.deepEqual(types(parts), ['start', 'start-step', 'message-metadata', 'finish-step', 'finish'])
})

test('an approval that is another one by now is asked again', () => {
  const stale = { ...decision, approvalId: 'call-2.0000000000000000' }
  const parts = tell([], ended('needs_approval'), { known: asksForApproval, continued: [stale] })
  const request = { type: 'tool-approval-request', approvalId: asked.itemId, toolCallId: 'call-2' }
  assert.deepEqual(parts[1], request)
})

test('a replay goes from the first part across the approval', () => {
  const known = [...asksForApproval, ...approved()]
  const parts = tell([{ type: 'run-end', status: 'completed', text: 'Sent.' }], ended('completed'), { known })
  assert.deepEqual(types(parts), [
    'start',
    'start-step',
    'tool-input-available',
    'tool-approval-request',
    'tool-output-available',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ])
})

test('a stopped run ends with abort, what was shown of its answer is closed', () => {
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'text-delta', delta: 'Half' },
      { type: 'input-start', toolCallId: 'call-1', toolName: name },
      { type: 'run-end', status: 'failed', text: 'Stopped.' },
    ],
    { ...ended('failed'), stopped: true },
  )
  assert.deepEqual(types(parts).slice(5), [
    'tool-output-error',
    'text-end',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'message-metadata',
    'text-end',
    'finish-step',
    'abort',
  ])
})

test('a model that is down is an error, with nothing left open and no words twice', () => {
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'text-delta', delta: 'Half' },
      { type: 'notice', notice: 'model-failed', reason: 'HTTP 500 of sk-secret' },
      { type: 'run-end', status: 'failed', text: 'The model is not reachable.' },
    ],
    ended('failed'),
  )
  assert.deepEqual(types(parts), [
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'message-metadata',
    'finish-step',
    'data-notice',
    'error',
  ])
  // An error part has no room for its code.
  const data = { code: 'model_unavailable', text: 'The model is not reachable.' }
  assert.deepEqual(parts.slice(-2), [
    { type: 'data-notice', data, transient: true },
    { type: 'error', errorText: 'The model is not reachable.' },
  ])
})

test('a message that no model can read is an error with the code and what clients translate it by', () => {
  const own = {
    code: 'context_too_long',
    values: { why: 'message' },
    text: 'This message is too long for the language model. Send less at once, or as a file.',
  } as const
  const failed = { type: 'notice', notice: 'model-failed', reason: 'HTTP 400' } as const
  const end = { type: 'run-end', status: 'failed', text: '', ours: [own] } as const
  const parts = tell([begin, { type: 'step-start' }, failed, end], ended('failed'))
  assert.deepEqual(parts.slice(-2), [
    { type: 'data-notice', data: own, transient: true },
    { type: 'error', errorText: own.text },
  ])
})

test('words of a model that broke off are closed, the next ones are another step', () => {
  const parts = tell(
    [
      begin,
      { type: 'step-start' },
      { type: 'text-delta', delta: 'Half' },
      { type: 'restart', provider: 'p', model: 'm' },
      { type: 'text-delta', delta: 'Whole.' },
      { type: 'model-text', text: 'Whole.' },
      stepEnd,
      { type: 'run-end', status: 'completed' },
    ],
    ended('completed'),
  )
  const rest = ['text-start', 'text-delta', 'text-end', 'finish-step']
  assert.deepEqual(types(parts), ['start', 'start-step', ...rest, 'start-step', ...rest, 'finish'])
})

test('an output is streamed up to 32 KiB, and null is an output', () => {
  const large = tell(
    [begin, { type: 'step-start' }, call('1', {}), stepEnd, done('1', 'x'.repeat(100_000))],
    ended('completed'),
  )
  assert.ok(JSON.stringify(large).length < 34_000)
  const none = tell(
    [begin, { type: 'step-start' }, call('1', {}), stepEnd, done('1', null)],
    ended('completed'),
  )
  assert.deepEqual(none[3], { type: 'tool-output-available', toolCallId: '1', output: null })
})

test('who follows a run later sees the same, also in the middle of a word', async () => {
  const feed = new RunFeed([], tools)
  const follow = () => {
    const parts: StreamPart[] = []
    const message = new MessageStream(place, english, undefined, (more) => parts.push(...more))
    feed.follow({
      onEntries: (entries, known) => message.onEntries(entries, known),
      onEvent: (event) => message.onEvent(event),
      onEnd: () => message.end(ended('completed')),
    })
    return () =>
      parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [` ${part.type} `])).join('')
  }
  const first = follow()
  feed.push(begin)
  feed.push({ type: 'step-start' })
  feed.push({ type: 'text-delta', delta: 'Hel' })
  feed.push({ type: 'text-delta', delta: 'l' })
  const second = follow()
  feed.push({ type: 'text-delta', delta: 'o.' })
  feed.push({ type: 'model-text', text: 'Hello.' })
  feed.push(stepEnd)
  feed.push({ type: 'run-end', status: 'completed' })
  feed.release(5)
  feed.end('interrupted')
  assert.match(first(), / text-start Hello\. text-end /)
  assert.equal(second(), first())
})

test('the first part is there before anything has happened, and the end is said', async () => {
  const events = openEventStream({ 'x-vercel-ai-ui-message-stream': 'v1' })
  events.write([{ type: 'start-step' }])
  const reader = events.response.body?.getReader()
  const decoder = new TextDecoder()
  assert.equal(decoder.decode((await reader?.read())?.value), 'data: {"type":"start-step"}\n\n')
  events.close()
  assert.equal(decoder.decode((await reader?.read())?.value), 'data: [DONE]\n\n')
  assert.equal((await reader?.read())?.done, true)
  assert.equal(events.response.headers.get('x-vercel-ai-ui-message-stream'), 'v1')
})

test('a stream that cannot be written is cut, never ended as if all was said', async () => {
  const events = openEventStream()
  events.write([{ type: 'start-step' }])
  events.cut()
  events.close()
  await assert.rejects(new Response(events.response.body).text())
})

test('a client that does not read is cut off, one that has left costs nothing', async () => {
  const slow = openEventStream()
  const delta = 'x'.repeat(1024 * 1024)
  for (let sent = 0; sent < 20; sent++) slow.write([{ type: 'text-delta', id: 't1', delta }])
  assert.equal(slow.gone.aborted, true)
  await assert.rejects(new Response(slow.response.body).text(), /does not read/)
  slow.close()

  const left = openEventStream()
  await left.response.body?.cancel()
  assert.equal(left.gone.aborted, true)
  left.write([{ type: 'text-delta', id: 't1', delta }])
  left.close()
})

test('is delivered when its last byte was read, and not before', async () => {
  const read = openEventStream()
  read.write([{ type: 'start-step' }])
  read.close()
  const early = Promise.race([read.delivered, Promise.resolve('not yet')])
  assert.equal(await early, 'not yet')
  assert.match(await new Response(read.response.body).text(), /start-step.*DONE/s)
  assert.equal(await read.delivered, true)

  const left = openEventStream()
  left.write([{ type: 'start-step' }])
  left.close()
  await left.response.body?.cancel()
  assert.equal(await left.delivered, false)
})

test('a stream that is over, in whatever way, keeps no timer', async () => {
  const running = new Set<unknown>()
  const { setInterval: begin, clearInterval: end } = globalThis
  globalThis.setInterval = ((work: () => void, ms: number) => {
    const timer = begin(work, ms)
    running.add(timer)
    return timer
  }) as never
  globalThis.clearInterval = ((timer: number) => {
    running.delete(timer)
    end(timer)
  }) as never
  try {
    const ways: ((stream: ReturnType<typeof openEventStream>) => unknown)[] = [
      (stream) => {
        stream.close()
        return new Response(stream.response.body).text()
      },
      (stream) => stream.response.body?.cancel(),
      (stream) => stream.cut(),
      (stream) => {
        for (let sent = 0; sent < 20; sent++) stream.write([{ delta: 'x'.repeat(1024 * 1024) }])
      },
    ]
    for (const leave of ways) {
      const stream = openEventStream()
      stream.write([{ type: 'start-step' }])
      assert.equal(running.size, 1)
      await leave(stream)
      assert.equal(running.size, 0)
    }
  } finally {
    Object.assign(globalThis, { setInterval: begin, clearInterval: end })
  }
})

test('many clients that do not read are cut off before they fill the process; who reads is not', async () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  const slow = Array.from({ length: 40 }, () => openEventStream())
  const reading = openEventStream()
  const body = reading.response.body?.getReader()
  let size = 0
  const readTo = async (end: number) => {
    while (size < end) size += (await body?.read())?.value?.length ?? Number.NaN
  }
  for (let sent = 1; sent <= 4; sent++) {
    for (const stream of [...slow, reading]) stream.write([{ type: 'text-delta', id: 't1', delta: mebibyte }])
    await readTo(sent * mebibyte.length)
  }
  reading.close()
  while (!(await body?.read())?.done) {}
  assert.equal(reading.gone.aborted, false)
  const left = slow.filter(({ gone }) => !gone.aborted)
  assert.ok(left.length <= 12, `${left.length} streams still hold 4 MiB each`)
  assert.ok(left.length > 0)
  for (const stream of left) {
    // Also what was written to its end, and waits to be read.
    stream.close()
    await stream.response.body?.cancel()
  }
  // What they held is free again.
  const next = openEventStream()
  next.write([{ type: 'text-delta', id: 't1', delta: mebibyte }])
  assert.equal(next.gone.aborted, false)
  await next.response.body?.cancel()
})

/** A run's feed, and what its listener was told. */
function feedOf(known: Entry[] = [], onAwaited = () => {}) {
  const feed = new RunFeed(known, tools, onAwaited)
  const told: string[] = []
  feed.follow({
    onEntries: (entries) => told.push(...entries.map(({ type }) => type)),
    onEvent: ({ type }) => told.push(type),
    onEnd: () => told.push('end'),
  })
  return { feed, told }
}

test('a card, a result and the end of a run are told once they are stored, and what follows them after them', () => {
  const { feed, told } = feedOf()
  const events: AgentEvent[] = [
    begin,
    { type: 'step-start' },
    { ...call('call-1', input), effect: 'read' },
    stepEnd,
    done('call-1', {}),
    { type: 'step-start' },
    { type: 'text-delta', delta: 'May' },
    { type: 'model-text', text: 'May I?' },
    call('call-2', input),
    stepEnd,
    asked,
    { type: 'run-end', status: 'needs_approval' },
  ]
  for (const event of events) feed.push(event)
  assert.deepEqual(told.splice(0), ['run-start', 'step-start', 'call', 'step-end'])
  feed.release(4)
  assert.deepEqual(told.splice(0), [])
  feed.release(5)
  assert.deepEqual(told.splice(0), ['result', 'step-start', 'text-delta', 'model-text'])
  feed.release(11)
  assert.deepEqual(told.splice(0), ['call', 'step-end', 'question', 'run-end'])
  feed.end('interrupted')
  assert.deepEqual(told, ['end'])
})

test('what was never stored is never told', () => {
  const { feed, told } = feedOf()
  for (const event of asksForApproval) feed.push(event)
  feed.end('interrupted')
  assert.deepEqual(told, ['run-start', 'step-start', 'end'])
})

test('a run that goes on with a message is followed once what it has decided is stored', async () => {
  const { feed, told } = feedOf(asksForApproval)
  for (const event of approved().slice(0, 3)) feed.push(event)
  await Promise.resolve()
  assert.deepEqual(told, [])
  feed.release(3)
  const types = [...asksForApproval, ...approved().slice(0, 3)].map(({ type }) => type)
  assert.deepEqual(told, types)
})

test('a result that somebody waits for is stored before the end of the run, a card with the end', () => {
  let awaited = 0
  const { feed } = feedOf([], () => awaited++)
  feed.push(call('call-1', input))
  feed.push(asked)
  assert.equal(awaited, 0)
  feed.release(2)
  feed.push(done('call-1', {}))
  assert.equal(awaited, 1)
  feed.release(3)
  feed.push({ type: 'run-end', status: 'completed' })
  assert.equal(awaited, 1)
})

/** A read, which is shown before it is stored. */
const look = (toolCallId: string): Call => ({ ...call(toolCallId, {}), effect: 'read' })

test('what a process has shown, and the run that took its place has not, is closed; the rest goes on', () => {
  const parts: StreamPart[] = []
  const message = new MessageStream(place, english, undefined, (sent) => parts.push(...sent))
  message.start()
  const stored: Entry[] = [begin, { type: 'step-start' }, look('call-1'), stepEnd]
  message.onEntries(stored, tools)
  const unstored: Entry[] = [done('call-1', 1), { type: 'step-start' }, look('call-2'), stepEnd]
  for (const entry of unstored) message.onEvent(entry)
  message.onEvent({ type: 'text-delta', delta: 'I look' })
  message.onReplaced()
  const before = parts.length
  const others: Entry[] = [
    begin,
    done('call-1', 2),
    { type: 'step-start' },
    { type: 'model-text', text: 'Here.' },
    stepEnd,
  ]
  message.onEntries([...stored, ...others], tools)
  message.onEntries([...stored, ...others, { type: 'run-end', status: 'completed' }], tools)
  message.end(ended('completed'))
  const told = parts.slice(before)
  assert.deepEqual(
    told.filter(({ type }) => type.startsWith('tool-')),
    [
      {
        type: 'tool-output-error',
        toolCallId: 'call-2',
        errorText: 'The model began its answer again, so this was not called.',
      },
      { type: 'tool-output-available', toolCallId: 'call-1', output: 2 },
    ],
  )
  assert.deepEqual(
    told.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])),
    ['Here.'],
  )
  // Every part that was begun has ended.
  const ids = (type: string) => parts.flatMap((part) => (part.type === type && 'id' in part ? [part.id] : []))
  assert.deepEqual(ids('text-end').sort(), ids('text-start').sort())
  const steps = (type: string) => parts.filter((part) => part.type === type).length
  assert.equal(steps('finish-step'), steps('start-step'))
  assert.equal(parts.at(-1)?.type, 'finish')
})

test('nothing is shown twice when another run goes on where a process has stored all that it had shown', () => {
  const parts: StreamPart[] = []
  const message = new MessageStream(place, english, undefined, (sent) => parts.push(...sent))
  message.start()
  const stored: Entry[] = [begin, { type: 'step-start' }, look('call-1'), stepEnd, done('call-1', 1)]
  message.onEntries([begin], tools)
  for (const entry of stored.slice(1)) message.onEvent(entry)
  message.onReplaced()
  const before = parts.length
  message.onEntries(
    [...stored, begin, { type: 'step-start' }, { type: 'model-text', text: 'Here.' }, stepEnd],
    tools,
  )
  assert.deepEqual(
    parts.slice(before).map(({ type }) => type),
    ['finish-step', 'start-step', 'text-start', 'text-delta'],
  )
})
