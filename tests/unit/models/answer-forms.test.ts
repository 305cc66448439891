import { describe, expect, test } from 'vitest'
import {
  createModelClient,
  type ModelClientOptions,
} from '../../../shared/engine/models/create-model-client.ts'
import { ModelError, type ModelReply } from '../../../shared/engine/models/protocol/model-client.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

type Answer = {
  type?: string
  status?: number
  headers?: Record<string, string>
  body: string | ReadableStream
}

/** What a client makes of one answer; a second request gets a good one. */
async function read(answer: Answer, options: Partial<ModelClientOptions> = {}) {
  const good = JSON.stringify({
    choices: [{ index: 0, message: { content: 'second' }, finish_reason: 'stop' }],
  })
  const answers = [answer, { type: 'application/json', body: good } as Answer]
  const clock = testClock()
  const client = createModelClient({
    baseURL: 'https://models.example/v1',
    apiKey: 'sk-test-0123456789',
    model: 'm',
    clock,
    fetch: async () => {
      const { type, status = 200, headers, body } = answers.shift() ?? answer
      const response = new Response(body, { status, headers: headers ?? {} })
      response.headers.delete('content-type')
      if (type !== undefined) response.headers.set('content-type', type)
      return response
    },
    ...options,
  })
  const reply = await client.complete(ask(), { stream: true })
  return { reply, slept: clock.slept }
}

const chunks = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: 'Grüße, ' } }] },
  { choices: [{ index: 0, delta: { content: '世界' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
].map((chunk) => JSON.stringify(chunk))
const events = chunks.map((chunk) => `data: ${chunk}\n\n`).join('')

describe('an event stream, however a server writes it', () => {
  const eventStream = 'text/event-stream'
  const cases: Record<string, Answer> = {
    'with CRLF': { type: eventStream, body: `${events}data: [DONE]\n\n`.replaceAll('\n', '\r\n') },
    'with a byte order mark': { type: eventStream, body: `\uFEFF${events}data: [DONE]\n\n` },
    'with comments, names and ids': {
      type: `${eventStream}; charset=utf-8`,
      body: `: OPENROUTER PROCESSING\n\n${events.replaceAll('data:', 'event: message\nid: 7\ndata:')}data: [DONE]\n\n`,
    },
    'with empty events': { type: eventStream, body: `data:\n\ndata: null\n\n${events}data: [DONE]\n\n` },
    'without a blank line at the end': { type: eventStream, body: events.trimEnd() },
    'with one line break an event': {
      type: eventStream,
      body: `${chunks.map((one) => `data: ${one}\n`).join('')}data: [DONE]\n`,
    },
    'without [DONE]': { type: eventStream, body: events },
    'with half an event after the end': { type: eventStream, body: `${events}data: {"choi` },
    'called text': { type: 'text/plain', body: `${events}data: [DONE]\n\n` },
    'called JSON': { type: 'application/json', body: `: hello\n\n${events}data: [DONE]\n\n` },
    'without a type': { body: events },
  }
  test.each(Object.entries(cases))('%s', async (_name, answer) => {
    const { reply } = await read(answer)
    expect(reply).toMatchObject({
      text: 'Grüße, 世界',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2 },
    })
  })
})

describe('an event stream of any kind of ReadableStream, in any pieces', () => {
  const long = JSON.stringify({ choices: [{ index: 0, delta: { content: 'ö'.repeat(50_000) } }] })
  const bytes = new TextEncoder().encode(`data: ${long}\n\n${events}data: [DONE]\n\n`)
  const cases = [undefined, 'bytes'].flatMap((kind) => [7, 40_000, bytes.length].map((size) => [kind, size]))
  test.each(cases as [undefined, number][])('%s, of %i bytes', async (kind, size) => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      type: kind,
      pull(controller) {
        controller.enqueue(bytes.slice(at, at + size))
        at += size
        if (at >= bytes.length) controller.close()
      },
    })
    const { reply } = await read({ type: 'text/event-stream', body })
    expect(reply.text).toBe(`${'ö'.repeat(50_000)}Grüße, 世界`)
  })
})

describe('older and other forms of an answer', () => {
  const body = (choice: object) =>
    JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', ...choice }] })
  const call = { name: 'search', arguments: '{"query":"x"}' }
  const cases: [string, string, Partial<ModelReply>][] = [
    [
      'a whole message beside an empty delta',
      `data: ${body({ delta: {}, message: { tool_calls: [{ id: 'a', type: 'function', function: call }] } })}\n\n`,
      { toolCalls: [{ id: 'a', name: 'search', rawArguments: '{"query":"x"}' }] },
    ],
    [
      'a whole message that repeats what was streamed',
      `data: ${body({ delta: { content: 'Yes.' }, finish_reason: null })}\n\ndata: ${body({ delta: {}, message: { content: 'Yes.' } })}\n\n`,
      { text: 'Yes.' },
    ],
    [
      'parts of other types',
      body({
        message: {
          content: [
            { type: 'thinking', text: 'Hm.' },
            { type: 'output_text', text: 'Yes.' },
          ],
        },
      }),
      { text: 'Yes.' },
    ],
    [
      'usage inside the choice',
      body({ message: { content: 'Yes.' }, usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      { usage: { inputTokens: 3, outputTokens: 2 } },
    ],
  ]
  test.each(cases)('%s', async (_name, text, expected) => {
    const { reply } = await read({ type: 'application/json', body: text })
    expect(reply).toMatchObject(expected)
  })
})

test('an error without a wrapper is an error, in a stream and alone', async () => {
  const vllm = { object: 'error', message: 'The engine died.', type: 'InternalServerError', code: 500 }
  for (const error of [vllm, { code: 500, message: 'Upstream died.' }, { detail: 'Internal error' }]) {
    const body = JSON.stringify(error)
    const inStream = await read({ type: 'text/event-stream', body: `data: ${body}\n\n` })
    expect(inStream.reply.text).toBe('second')
    const alone = await read({ type: 'application/json', body })
    expect(alone.reply.text).toBe('second')
  }
})

test('what a server says would fail again is not repeated', async () => {
  const answer = { status: 500, headers: { 'x-should-retry': 'false' }, body: '{"error":{"message":"No."}}' }
  const failure = await read(answer).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'ModelError', httpStatus: 500 })
})

test('the reason of a 403 is said: it need not be the key', async () => {
  const message = 'Country, region, or territory not supported'
  const failure = await read({ status: 403, body: JSON.stringify({ error: { message } }) }).catch(String)
  expect(failure).toContain(message)
})

test("the wait that OpenRouter quotes from another provider's headers is waited for", async () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now + 7000) }
  const { slept } = await read({
    status: 429,
    headers: { date: new Date(now).toUTCString() },
    body: JSON.stringify({ error: { message: 'Rate limit exceeded', code: 429, metadata: { headers } } }),
  })
  expect(slept).toEqual([7000])
})

test('the faults that a server lists are said', async () => {
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }]
  for (const body of [{ object: 'error', message: { detail } }, { detail }]) {
    const failure = await read({ status: 422, body: JSON.stringify(body) }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect(String(failure)).toContain('body.seed: Extra inputs are not permitted')
  }
})

test('a base URL may be the whole address', async () => {
  const urls: string[] = []
  for (const baseURL of [
    'https://models.example/v1/chat/completions',
    'https://models.example/v1/chat/completions/',
  ]) {
    await read(
      { body: '' },
      {
        baseURL,
        fetch: async (url) => {
          urls.push(String(url))
          return new Response(events)
        },
      },
    )
  }
  expect(new Set(urls)).toEqual(new Set(['https://models.example/v1/chat/completions']))
})
