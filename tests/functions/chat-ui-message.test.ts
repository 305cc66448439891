import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ToolError, toolError } from '../../shared/engine/core/tool-error.ts'
import type { Call, Entry, QuestionEntry, Result, RunStatus } from '../../shared/engine/transcript/entry.ts'
import { english } from '../../shared/words/languages/english.ts'
import { MessageParts } from '../../supabase/functions/chat/answer/message-parts.ts'
import type { MessagePart } from '../../supabase/functions/chat/answer/part-list.ts'
import {
  projectParts,
  projectUiMessage,
  projectUserParts,
} from '../../supabase/functions/chat/answer/ui-message.ts'
import { splitEntry } from '../../supabase/functions/chat/entries/stored-entry.ts'

const place = { messageId: 'a-1', conversationId: 'c-1', runId: 'r-1' }
const tools = new Map([
  [
    'smtp_send_email',
    {
      name: 'smtp_send_email',
      description: 'Sends.',
      effect: 'write' as const,
      parameters: {
        type: 'object',
        properties: { to: { type: 'array' }, subject: { type: 'string' } },
        required: ['to'],
      },
    },
  ],
])
/** As clients get it. */
const projectAll = (entries: readonly Entry[]): MessagePart[] =>
  JSON.parse(JSON.stringify(projectUiMessage(place, entries, tools, english).parts))
/** All but which attempt of what each call is: that has its own test. */
const project = (entries: readonly Entry[]) => projectAll(entries).filter(({ type }) => type !== 'data-call')
const states = (parts: Record<string, unknown>[]) =>
  parts.map((part) => `${part.type}${part.state ? ` ${part.state}` : ''}`)

const approved = (part: MessagePart | undefined) =>
  (part?.approval as { approved?: boolean } | undefined)?.approved

const start: Entry = { type: 'run-start', runId: 'r', now: '2026-11-22T06:12Z' }
const call = (toolCallId: string, rest: Partial<Call> = {}): Call => ({
  type: 'call',
  toolCallId,
  name: 'smtp_send_email',
  rawArguments: '{}',
  toolName: 'smtp_send_email',
  effect: 'write',
  prepared: true,
  input: { subject: 'Hi' },
  repairs: [],
  intent: 1,
  attempt: 1,
  startedAt: '2026-11-22T06:12:00.000Z',
  ...rest,
})
const reading = (toolCallId: string) => call(toolCallId, { effect: 'read' })
const step = (text: string, ...calls: Call[]): Entry[] => [
  { type: 'step-start' },
  ...(text ? [{ type: 'model-text' as const, text }] : []),
  ...calls,
  {
    type: 'step-end',
    provider: 'p',
    model: 'm',
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1 },
    durationMs: 1,
  },
]
const result = (toolCallId: string, data: unknown = null): Result => ({
  type: 'result',
  toolCallId,
  status: 'succeeded',
  result: { ok: true, data },
  tries: 1,
  durationMs: 1,
})
const failure = (toolCallId: string, error: ToolError): Result => ({
  ...result(toolCallId),
  status: 'failed',
  result: error,
})
const question = (
  kind: QuestionEntry['kind'],
  toolCallId: string,
  rest: Partial<QuestionEntry> = {},
): QuestionEntry => ({
  type: 'question',
  itemId: `${toolCallId}.a`,
  intent: 1,
  askedAt: '2026-11-22T07:05:00.000Z',
  kind,
  toolCallId,
  toolName: 'smtp_send_email',
  question: 'Question: Who should I send this email to?',
  arguments: { subject: 'Hi' },
  open: [],
  ...rest,
})
const end = (status: RunStatus = 'completed', text?: string): Entry => ({
  type: 'run-end',
  status,
  ...(text ? { text } : {}),
})

const missing = toolError('missing_parameter', 'Question: Who?', { details: { parameter: 'to' } })
const denied = toolError('approval_denied', 'The user declined it.')
const asksForInput: Entry[] = [
  start,
  ...step('', call('1')),
  failure('1', missing),
  ...step('Who should get it?'),
  question('input', '1', { arguments: { to: ['<address>'], subject: 'Hi' }, open: ['to[0]'] }),
  end('needs_input'),
]
const asksForApproval: Entry[] = [
  start,
  ...step('', call('1')),
  question('approval', '1', { arguments: { to: ['a@b.c'] } }),
  end('needs_approval', 'May I send it?'),
]

test('a plain answer is one step, with who has written it', () => {
  const message = projectUiMessage(place, [start, ...step('Hello.'), end()], tools, english)
  assert.deepEqual(message, {
    id: 'a-1',
    role: 'assistant',
    parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello.', state: 'done' }],
    metadata: {
      conversationId: 'c-1',
      runId: 'r-1',
      status: 'completed',
      usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 },
      pending: [],
      toolTimes: {},
    },
  })
})

test('an answer names the pages and documents that were read, each once, and nothing that was made', () => {
  const found = {
    results: [
      { title: 'Edge functions', url: 'https://example.com/edge', snippet: 'At the edge.' },
      { title: 'The same', url: 'https://example.com/edge' },
      { title: 'A script', url: 'javascript:alert(1)' },
      { title: 'With a password', url: 'https://user:secret@example.com/' },
    ],
  }
  const read = { document_id: 'd', title: 'Plan', content: '# Plan' }
  const page = {
    pages: [{ url: 'https://example.org/' }, { url: 'https://example.net/', error: 'Not there.' }],
  }
  const message = project([
    start,
    ...step('', reading('1'), reading('2'), reading('3'), call('4')),
    result('1', found),
    result('2', read),
    result('3', page),
    result('4', { title: 'Made', url: 'https://example.com/made' }),
    ...step('Here it is.'),
    end(),
  ])
  assert.deepEqual(message.slice(-4), [
    { type: 'text', text: 'Here it is.', state: 'done' },
    { type: 'source-url', sourceId: '1-1', url: 'https://example.com/edge', title: 'Edge functions' },
    { type: 'source-document', sourceId: '2-1', mediaType: 'text/markdown', title: 'Plan' },
    { type: 'source-url', sourceId: '3-1', url: 'https://example.org/', title: 'example.org' },
  ])
})

test('sentences of our own are parts of their own, and the metadata say what they are', () => {
  const ours = [{ code: 'cut_off', text: '(This answer was cut off at the length limit.)' }]
  const ended: Entry = { type: 'run-end', status: 'completed', text: 'It is da', ours }
  const { parts, metadata } = projectUiMessage(place, [start, ...step('It is da'), ended], tools, english)
  assert.deepEqual(
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    ['It is da', '(This answer was cut off at the length limit.)'],
  )
  assert.deepEqual(metadata?.texts, ours)
  const stopped: Entry = {
    type: 'run-end',
    status: 'failed',
    text: '',
    ours: [{ code: 'stopped', text: 'Stopped.' }],
  }
  const [first, second, ...others] = project([start, ...step('Let me see.', call('1')), stopped])
  assert.deepEqual(
    [first?.type, second?.text, others.at(-1)?.text],
    ['step-start', 'Let me see.', 'Stopped.'],
  )
  assert.deepEqual(project([start, ...step('Hello.'), end('completed')]).at(-1)?.text, 'Hello.')
})

test('a message says how long each call took', () => {
  const entries = [start, ...step('', call('1')), result('1', {}), end('completed', 'Done.')]
  assert.deepEqual(projectUiMessage(place, entries, tools, english).metadata?.toolTimes, { '1': 1 })
})

test('the longest that there is of an answer takes the place of the last words of the model', () => {
  const parts = project([start, ...step('It is d'), end('completed', 'It is done')])
  assert.deepEqual(parts, [{ type: 'step-start' }, { type: 'text', text: 'It is done', state: 'done' }])
})

test('what the model thought stands before its words, and goes with them when they are taken back', () => {
  const thinks = (thought: string, text: string): Entry[] => {
    const [begin, ...rest] = step(text)
    return [begin as Entry, { type: 'thought', text: thought }, ...rest]
  }
  const nudge: Entry = { type: 'nudge', stall: 'length' }
  const parts = project([start, ...thinks('Hm.', 'It is'), nudge, ...thinks('Aha.', 'It is done.'), end()])
  assert.deepEqual(parts, [
    { type: 'step-start' },
    { type: 'reasoning', text: 'Aha.', state: 'done' },
    { type: 'text', text: 'It is done.', state: 'done' },
  ])
})

test('a large output is shortened in the message', () => {
  const parts = project([
    start,
    ...step('', call('1')),
    result('1', { text: 'x'.repeat(100_000) }),
    end('completed', 'Done.'),
  ])
  assert.ok(JSON.stringify(parts).length < 33_000)
  assert.match(JSON.stringify(parts[1]?.output), /^\{"text":"x{30000,}…"\}$/)
})

test('what an answer has done that this one takes the place of stands first; what is not certain is asked about', () => {
  const write = { toolName: 'smtp_send_email', arguments: {} }
  const parts = project([
    {
      ...start,
      priorWrites: [
        { ...write, toolCallId: '1', status: 'succeeded', summary: 'Sent "Hi"' },
        { ...write, toolCallId: '2', status: 'succeeded' },
        { ...write, toolCallId: '3', status: 'unknown' },
        // Of an earlier message.
        { ...write, status: 'succeeded', isEarlier: true },
      ],
    },
    ...step('It is sent.'),
    end(),
  ])
  assert.deepEqual(parts.slice(0, 2), [
    {
      type: 'data-done-before',
      id: '1',
      data: { toolCallId: '1', toolName: 'smtp_send_email', input: {}, summary: 'Sent "Hi"' },
    },
    { type: 'data-done-before', id: '2', data: { toolCallId: '2', toolName: 'smtp_send_email', input: {} } },
  ])
  assert.deepEqual(states(parts.slice(2)), ['step-start', 'text done'])
})

test('a form stands behind the words that ask for it, and is marked when it has been answered', () => {
  const asked = project(asksForInput)
  assert.deepEqual(states(asked), [
    'step-start',
    'tool-smtp_send_email output-error',
    'data-tool-error',
    'step-start',
    'text done',
    'data-question',
  ])
  assert.deepEqual(asked[2]?.data, {
    toolCallId: '1',
    attempt: 1,
    errorType: 'missing_parameter',
    parameter: 'to',
    code: 'missing_parameter',
    values: { words: 'Who?' },
  })
  const form = JSON.stringify(asked[5]?.data)
  assert.match(form, /"type":"needs_input"/)
  assert.match(form, /"schema":/)

  const answered = project([
    ...asksForInput,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'answer', values: { to: ['a@b.c'] } },
    start,
    call('1', { attempt: 2, input: { subject: 'Hi', to: ['a@b.c'] } }),
    result('1', { id: 1 }),
    ...step('Sent.'),
    end(),
  ])
  assert.deepEqual(states(answered), [
    'step-start',
    'data-tool-error',
    'step-start',
    'text done',
    'data-question',
    'step-start',
    'tool-smtp_send_email output-available',
    'step-start',
    'text done',
  ])
  assert.deepEqual(answered[6]?.input, { subject: 'Hi', to: ['a@b.c'] })
  assert.match(JSON.stringify(answered[4]?.data), /"answered":true/)
})

test('what was skipped says so to people, without the open place of the call', () => {
  const parts = project([
    ...asksForInput,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'skip' },
    start,
    call('1', { attempt: 2, input: { to: ['<address>'], subject: 'Hi' } }),
    failure('1', toolError('cancelled', 'The user goes on without this.')),
    ...step('All right.'),
    end(),
  ])
  const skipped = parts.find(({ toolCallId }) => toolCallId === '1')
  assert.equal(skipped?.errorText, 'This was not done, because you skipped it.')
  assert.doesNotMatch(JSON.stringify(skipped), /<address>/)
})

test('the text of an open approval stands in its step', () => {
  const parts = project(asksForApproval)
  assert.deepEqual(states(parts), ['step-start', 'tool-smtp_send_email approval-requested', 'text done'])
  assert.deepEqual(parts[1]?.input, { to: ['a@b.c'] })
})

test('an approval has the id of its open item', () => {
  const ask = question('approval', '1', { arguments: { to: ['a@b.c'], subject: 'Hi' } })
  const [, part] = project([start, ...step('', call('1')), ask, end('needs_approval', 'May I?')])
  assert.deepEqual(part?.approval, { id: ask.itemId })
})

test('an approval that was asked again elsewhere says so, and one that was open too long', () => {
  const ask = question('approval', '1', { arguments: { to: ['a@b.c'], subject: 'Hi' } })
  const asked = [start, ...step('', call('1')), ask]
  for (const [as, words] of [
    ['replaced', /^Asked again below/],
    ['yielded', /asked for other people below/],
    ['expired', /open for too long/],
  ] as const) {
    const closed: Entry = { type: 'closed', itemId: ask.itemId, toolCallId: '1', as }
    const [, part] = project([...asked, closed, end('completed', 'Fine.')])
    assert.equal(part?.state, 'output-error')
    assert.match(String(part?.errorText), words)
  }
})

test('a call that was edited on its card tells what that had shown, also after another card about a fault in it', () => {
  const shown = { to: ['a@b.c'], subject: 'Hi' }
  const wrong = { to: ['b@b'], subject: 'Hi', cc: ['c@b.c'] }
  const sent = { to: ['b@b.c'], subject: 'Hi', cc: ['c@b.c'] }
  const approve = (itemId: string, input?: Record<string, unknown>): Entry => ({
    type: 'decision',
    itemId,
    toolCallId: '1',
    decision: 'approve',
    ...(input ? { input } : {}),
  })
  const factsOf = (entries: readonly Entry[]) =>
    projectAll(entries).find(({ type }) => type === 'data-call')?.data as { edited?: unknown }
  const asked = [
    start,
    ...step('', call('1', { input: shown })),
    question('approval', '1', { arguments: shown }),
    end('needs_approval', 'May I send it?'),
  ]
  const goOn = (input: Record<string, unknown>) => [start, call('1', { approved: true, input })]
  const done = [result('1', { id: 1 }), ...step('Sent.'), end()]
  assert.deepEqual(factsOf([...asked, approve('1.a', sent), ...goOn(sent), ...done]).edited, [
    { name: 'to', before: ['a@b.c'] },
    { name: 'cc' },
  ])
  const again = [
    question('approval', '1', { itemId: '1.b', arguments: wrong }),
    end('needs_approval', 'May I send it?'),
  ]
  const twice = [...asked, approve('1.a', wrong), ...goOn(wrong), ...again, approve('1.b', sent)]
  assert.deepEqual(factsOf([...twice, ...goOn(sent), ...done]).edited, [
    { name: 'to', before: ['a@b.c'] },
    { name: 'cc' },
  ])
  for (const input of [undefined, shown])
    assert.equal(factsOf([...asked, approve('1.a', input), ...goOn(shown), ...done]).edited, undefined)
})

test('an approved call is closed where it stands', () => {
  const parts = project([
    ...asksForApproval,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'approve' },
    start,
    call('1', { approved: true, input: { to: ['a@b.c'] } }),
    result('1', { id: 7 }),
    ...step('Sent.'),
    end(),
  ])
  assert.deepEqual(states(parts), [
    'step-start',
    'tool-smtp_send_email output-available',
    'text done',
    'step-start',
    'text done',
  ])
  assert.equal(approved(parts[1]), true)
  assert.deepEqual(parts[1]?.output, { id: 7 })
})

test('a denied call is closed as denied', () => {
  const parts = project([
    ...asksForApproval,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'deny' },
    start,
    call('1'),
    { ...failure('1', denied), status: 'cancelled' },
    ...step('All right.'),
    end(),
  ])
  assert.equal(approved(parts[1]), false)
  assert.equal(parts[1]?.state, 'output-denied')
})

test('a write of an earlier turn that may have happened is asked about in this message', () => {
  const ask = question('approval', 'old', { outcomeUnknown: true, repetition: 1 })
  const parts = project([start, ...step('Hello.'), ask, end('needs_approval', 'Hello.\n\nSend it again?')])
  assert.deepEqual(states(parts), ['step-start', 'text done', 'tool-smtp_send_email approval-requested'])
  assert.equal(parts[1]?.text, 'Hello.\n\nSend it again?')
})

test('an approval after a form stands in a new last step', () => {
  const parts = project([
    ...asksForInput,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'answer', values: { to: ['a@b.c'] } },
    start,
    call('1', { attempt: 2, input: { subject: 'Hi', to: ['a@b.c'] } }),
    question('approval', '1', { arguments: { subject: 'Hi', to: ['a@b.c'] } }),
    end('needs_approval', 'May I send it?'),
  ])
  assert.deepEqual(states(parts).slice(-3), [
    'step-start',
    'tool-smtp_send_email approval-requested',
    'text done',
  ])
  assert.equal(parts.filter((part) => part.toolCallId === '1').length, 1)
})

test('a wait inside a run and another model are told, without the words of servers', () => {
  const parts = project([
    start,
    { type: 'notice', notice: 'model-switch', from: 'big', to: 'small', reason: 'said "sk-secret"' },
    ...step('', call('1')),
    { type: 'wait', toolCallId: '1', waitMs: 2000, reason: 'busy' },
    result('1'),
    ...step('Done.'),
    end(),
  ])
  const data = parts.filter(({ type }) => type.startsWith('data-'))
  assert.deepEqual(data, [
    { type: 'data-model-switch', data: { from: 'big', to: 'small' } },
    { type: 'data-wait', id: '1', data: { toolCallId: '1', waitMs: 2000 } },
  ])
})

test('a run that waits for the clock says until when, even when no call is behind it', () => {
  const wait = question('wait', '', { toolName: '', resumeAt: '2026-01-01T00:00:00Z' })
  const parts = project([start, wait, end('waiting', 'Later.')])
  assert.deepEqual(parts[0], {
    type: 'data-wait',
    id: '',
    data: { toolCallId: '', resumeAt: '2026-01-01T00:00:00Z' },
  })
})

test('two calls of the same tool keep a part each, and unreadable arguments are shown as they came', () => {
  const cut = toolError('malformed_arguments', 'Question: Cut.')
  const parts = project([
    start,
    ...step('I try both.', call('1'), call('2', { input: '{"to": "a@' })),
    failure('2', cut),
    result('1'),
    end('failed', 'Done what could be done.'),
  ])
  assert.deepEqual(states(parts).slice(0, 5), [
    'step-start',
    'text done',
    'tool-smtp_send_email output-available',
    'tool-smtp_send_email output-error',
    'data-tool-error',
  ])
  assert.equal(parts[3]?.input, '{"to": "a@')
})

test('a repair stands beside its call', () => {
  const repairs = [{ path: 'to', rule: 'wrap' }]
  const parts = project([start, ...step('', call('1', { repairs })), result('1'), ...step('Sent.'), end()])
  assert.deepEqual(states(parts).slice(1, 3), ['tool-smtp_send_email output-available', 'data-repair'])
  assert.deepEqual(parts[2], { type: 'data-repair', id: '1', data: { toolCallId: '1', repairs } })
})

test('what the model was asked to say again is not shown', () => {
  const parts = project([start, ...step('Hm'), { type: 'nudge', stall: 'length' }, ...step('Hello.'), end()])
  assert.deepEqual(parts, [{ type: 'step-start' }, { type: 'text', text: 'Hello.', state: 'done' }])
})

test('what a process that died has left behind is shown when the message has come to its end', () => {
  const half: Entry[] = [start, ...step('', call('1')), { type: 'step-start' }]
  const [, text] = projectUiMessage(place, half, tools, english).parts
  assert.match(String(text?.text), /stopped before/)
  const whole = project([...half, start, result('1'), ...step('Sent.'), end()])
  assert.deepEqual(states(whole), [
    'step-start',
    'tool-smtp_send_email output-available',
    'step-start',
    'text done',
  ])
  const again = project([
    ...asksForApproval,
    { type: 'decision', itemId: '1.a', toolCallId: '1', decision: 'approve' },
    start,
    call('1'),
  ])
  assert.deepEqual(states(again)[1], 'tool-smtp_send_email approval-requested')
})

test('what no client may see is nowhere in what is stored for them', () => {
  const opaque = splitEntry(call('1', { extraContent: { signature: 's' } }))
  assert.deepEqual(opaque, { entry: call('1'), private: { extraContent: { signature: 's' } } })
})

test('a file of the user is shown by its link, one from elsewhere as it came', async () => {
  const elsewhere = { type: 'file' as const, mediaType: 'image/png', url: 'https://example.com/a.png' }
  const stored = { type: 'file' as const, file_id: 'f1', mediaType: 'image/png', filename: 'a.png', size: 3 }
  const content = [{ type: 'text' as const, text: 'Look' }, stored, elsewhere]
  assert.deepEqual(await projectUserParts({ type: 'user-message', content }, async (id) => `link to ${id}`), [
    { type: 'text', text: 'Look' },
    { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'link to f1' },
    elsewhere,
  ])
})

const anyEntry = (): fc.Arbitrary<Entry> => {
  const id = fc.constantFrom('1', '2', '3')
  return fc.oneof(
    fc.constant(start),
    fc.constant<Entry>({ type: 'step-start' }),
    fc.constantFrom('Hello.', ' ', 'More').map((text): Entry => ({ type: 'model-text', text })),
    id.map((toolCallId) => call(toolCallId)),
    id.map((toolCallId) => call(toolCallId, { repairs: [{ path: '', rule: 'fence' }] })),
    fc.constant(step('')[1] as Entry),
    id.map((toolCallId) => result(toolCallId)),
    id.map((toolCallId) => failure(toolCallId, missing)),
    id.map((toolCallId) => failure(toolCallId, denied)),
    fc
      .tuple(fc.constantFrom<QuestionEntry['kind']>('input', 'approval', 'connection', 'wait'), id)
      .map(([kind, toolCallId]) => question(kind, toolCallId)),
    fc.tuple(fc.constantFrom('answer' as const, 'approve' as const, 'deny' as const), id).map(
      ([decision, toolCallId]): Entry => ({
        type: 'decision',
        itemId: `${toolCallId}.a`,
        toolCallId,
        decision,
      }),
    ),
    fc.constant<Entry>({ type: 'nudge', stall: 'length' }),
    fc.constantFrom(end(), end('failed', 'Stopped.')),
  )
}

test('entry by entry or as a whole, cut and stored anywhere: the same parts', () => {
  fc.assert(
    fc.property(fc.array(anyEntry(), { maxLength: 40 }), fc.nat(), (entries, cut) => {
      const message = new MessageParts(tools, english)
      for (const entry of entries) message.add(entry)
      assert.deepEqual(projectParts(entries, tools, english), message.list)
      const place = cut % (entries.length + 1)
      const stored: Entry[] = JSON.parse(JSON.stringify(entries.slice(0, place)))
      assert.deepEqual(projectParts([...stored, ...entries.slice(place)], tools, english), message.list)
    }),
  )
})

test('after the end of a run no part is open, each call has one part, and the text is never empty', () => {
  fc.assert(
    fc.property(fc.array(anyEntry(), { maxLength: 40 }), (entries) => {
      const parts = projectParts([...entries, end('completed', 'The end.')], tools, english)
      const ids = parts.flatMap((part) => (part.toolCallId ? [part.toolCallId] : []))
      assert.equal(new Set(ids).size, ids.length)
      for (const part of parts)
        assert.ok(!['input-available', 'input-streaming'].includes(String(part.state)))
      assert.ok(parts.some((part) => part.text === 'The end.'))
    }),
  )
})
