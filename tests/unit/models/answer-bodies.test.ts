import { describe, expect, test } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { ModelError, type ModelEvent } from '../../../shared/engine/models/protocol/model-client.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

/** A server that answers with this body, as `type`; `open` never closes the connection, and hears of no abort. */
function client(
  body: string | readonly string[],
  { type = 'text/event-stream', open = false, timeoutMs = 60_000 } = {},
) {
  let asked = 0
  const model = createModelClient({
    baseURL: 'https://models.example/v1',
    apiKey: 'sk-test-0123456789',
    model: 'm',
    timeoutMs,
    clock: testClock(),
    fetch: async () => {
      asked++
      const pieces = [body].flat()
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const piece = pieces.shift()
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
          else if (open) await new Promise(() => {})
          else controller.close()
        },
      })
      return new Response(stream, { headers: { 'content-type': type } })
    },
  })
  return { model, asked: () => asked }
}

const call = { id: 'a', type: 'function', function: { name: 'search', arguments: '{"query":"x"}' } }
const read = { id: 'a', name: 'search', rawArguments: '{"query":"x"}' }
const whole = { choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [call] } }] }
const event = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`
const delta = (part: object, finish: string | null = null, index = 0) =>
  event({ choices: [{ index, delta: part, finish_reason: finish }] })

describe('shapes of gateways', () => {
  test.each([
    ['one call without a list', { tool_calls: { index: 0, ...call } }],
    [
      'name and arguments beside the id',
      { tool_calls: [{ index: 0, id: 'a', name: 'search', arguments: '{"query":"x"}' }] },
    ],
  ])('a call: %s', async (_, part) => {
    const streamed = client(delta(part) + delta({}, 'tool_calls'))
    expect((await streamed.model.complete(ask(), { stream: true })).toolCalls).toEqual([read])
    const body = { choices: [{ index: 0, finish_reason: 'tool_calls', message: part }] }
    const plain = client(JSON.stringify(body), { type: 'application/json' })
    expect((await plain.model.complete(ask())).toolCalls).toEqual([read])
  })

  test.each(['application/x-ndjson', 'application/json', 'text/event-stream'])(
    'a chunk a line, as %s',
    async (type) => {
      const chunks = [
        { choices: [{ index: 0, delta: { content: 'Hello' } }] },
        { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
      ].map((chunk) => `${JSON.stringify(chunk)}\n`)
      for (const body of [chunks, [chunks.join('').trim()], [`${chunks.join('\n')}data: [DONE]\n`]]) {
        const reply = await client(body, { type }).model.complete(ask(), { stream: true })
        expect(reply).toMatchObject({ text: 'Hello', toolCalls: [read], usage: { inputTokens: 9 } })
      }
      const cut = client(chunks.slice(0, 2), { type })
      await expect(cut.model.complete(ask(), { stream: true })).rejects.toThrow('ended in the middle')
    },
  )

  test('a refusal as a part of the content is the answer', async () => {
    const message = { content: [{ type: 'refusal', refusal: 'I cannot do that.' }] }
    const { model } = client(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }), {
      type: 'application/json',
    })
    expect((await model.complete(ask())).text).toBe('I cannot do that.')
  })

  test.each([
    [
      'a list of errors',
      { success: false, errors: [{ message: 'Invalid API key', code: 'invalid_api_key' }] },
    ],
    [
      'a list around the error',
      [{ error: { code: 401, message: 'API key not valid', status: 'UNAUTHENTICATED' } }],
    ],
    [
      'MiniMax',
      { base_resp: { status_code: 1004, status_msg: 'login fail: invalid api key' }, choices: null },
    ],
  ])('an error: %s', async (_, body) => {
    for (const type of ['text/event-stream', 'application/json']) {
      const { model } = client(JSON.stringify(body), { type })
      await expect(model.complete(ask(), { stream: true })).rejects.toThrow(/key was refused/)
    }
  })
})

describe('the body decides, not its content type', () => {
  test.each([
    ['a completion called a stream', JSON.stringify(whole)],
    ['in several lines', JSON.stringify(whole, null, 2)],
    ['with the end mark of a stream', `${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`],
    ['after blanks', `\n  ${JSON.stringify(whole)}`],
  ])('%s', async (_, body) => {
    const { model } = client([body.slice(0, 7), body.slice(7)])
    expect((await model.complete(ask(), { stream: true })).toolCalls).toEqual([read])
  })

  test.each([
    ['no credit', { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } }],
    ['a wrong key', { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }],
    ['no wrapper', { code: 1113, msg: 'Insufficient balance. Please recharge.', success: false }],
    ['too long', { error: { message: 'Context length exceeded', code: 'CONTEXT_LENGTH_EXCEEDED' } }],
  ])('an error inside a 200 is that error, and is not repeated: %s', async (_, error) => {
    for (const type of ['text/event-stream', 'application/json']) {
      const { model, asked } = client(JSON.stringify(error), { type })
      const failure = await model.complete(ask(), { stream: true }).catch((cause: unknown) => cause)
      expect(failure).toBeInstanceOf(ModelError)
      expect(inEnglish((failure as ModelError).said)).not.toMatch(/few minutes/)
      expect(asked()).toBe(1)
    }
  })
})

describe('an answer in several choices', () => {
  const words = { role: 'assistant', content: 'One moment.' }
  const calls = { role: 'assistant', content: null, tool_calls: [call] }
  const more = { tool_calls: [{ ...call, id: 'b' }] }
  test.each([
    ['words, call', [words, calls], 1],
    ['call, words', [calls, words], 1],
    ['nothing, call', [{ content: '' }, calls], 1],
    ['words, call, call', [words, calls, more], 2],
  ])('a call in any of them counts: %s', async (_, messages, count) => {
    const choices = messages.map((message) => ({ message, finish_reason: 'tool_calls' }))
    const plain = await client(JSON.stringify({ choices }), { type: 'application/json' }).model.complete(
      ask(),
    )
    expect(plain.toolCalls).toHaveLength(count)
    const events = messages.map((message, index) => {
      const fragments = (message as typeof more).tool_calls?.map((one) => ({ ...one, index: 0 }))
      return delta({ ...message, ...(fragments ? { tool_calls: fragments } : {}) }, 'tool_calls', index)
    })
    const streamed = await client([...events, 'data: [DONE]\n\n']).model.complete(ask(), { stream: true })
    expect(streamed.toolCalls).toEqual(plain.toolCalls)
    expect(streamed.text).toBe(plain.text)
  })

  test('of two choices of words one is the answer', async () => {
    const choices = ['Yes.', 'No.'].map((content) => ({ message: { content }, finish_reason: 'stop' }))
    const { model } = client(JSON.stringify({ choices }), { type: 'application/json' })
    expect((await model.complete(ask())).text).toBe('Yes.')
  })
})

describe('fragments that repeat themselves', () => {
  const raw = '{"query":"x","limit":3}'
  const named = (first = '') =>
    delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'search', arguments: first } }] })
  const more = (text: string) => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] })
  test.each([
    ['all so far in every one', [named(), more(raw.slice(0, 8)), more(raw.slice(0, 15)), more(raw)]],
    ['the whole twice', [named(), more(raw), more(raw)]],
    ['the whole, written in another way', [named(raw), more('{ "limit": 3, "query": "x" }')]],
    ['pieces, then the whole', [named(), more(raw.slice(0, 9)), more(raw.slice(9)), more(raw)]],
  ])('%s', async (_, events) => {
    const { model } = client([...events, delta({}, 'tool_calls')])
    const { toolCalls } = await model.complete(ask(), { stream: true })
    expect(toolCalls).toHaveLength(1)
    expect(JSON.parse(toolCalls[0]?.rawArguments ?? '')).toEqual({ query: 'x', limit: 3 })
  })

  test('two different objects have no single reading', async () => {
    const { model } = client([named(raw), more('{"query":"y"}'), delta({}, 'tool_calls')])
    const { toolCalls } = await model.complete(ask(), { stream: true })
    expect(toolCalls[0]?.rawArguments).toBe(`${raw}{"query":"y"}`)
  })

  test('a nested object that begins like the arguments is not a repetition', async () => {
    const { model } = client([named('{"query":'), more('{"query":1}'), more('}'), delta({}, 'tool_calls')])
    const { toolCalls } = await model.complete(ask(), { stream: true })
    expect(toolCalls[0]?.rawArguments).toBe('{"query":{"query":1}}')
  })

  test('words', async () => {
    const said = ['The meeting', 'The meeting is', 'The meeting is at ten.']
    const { model } = client([...said.map((content) => delta({ content })), delta({}, 'stop')])
    expect((await model.complete(ask(), { stream: true })).text).toBe('The meeting is at ten.')
  })
})

describe('older and other members', () => {
  test('function_call, streamed and plain', async () => {
    const message = { function_call: { name: 'search', arguments: '{"query":"x"}' } }
    const plain = client(JSON.stringify({ choices: [{ message }] }), { type: 'application/json' })
    const events = [
      delta({ function_call: { name: 'search', arguments: '' } }),
      delta({ function_call: { arguments: '{"query":' } }),
      delta({ function_call: { arguments: '"x"}' } }, 'function_call'),
    ]
    for (const { model } of [plain, client(events)]) {
      const { toolCalls } = await model.complete(ask(), { stream: true })
      expect(toolCalls).toEqual([{ name: 'search', rawArguments: '{"query":"x"}' }])
    }
  })

  test('a full message beside an empty delta, not streamed', async () => {
    const choice = { message: { content: 'Yes.' }, delta: { role: 'assistant', content: '' } }
    const { model } = client(JSON.stringify({ choices: [{ ...choice, finish_reason: 'stop' }] }), {
      type: 'application/json',
    })
    expect((await model.complete(ask())).text).toBe('Yes.')
  })

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.' }],
    ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }],
    ['parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }],
  ])('thoughts in %s are thoughts', async (_, part) => {
    const events: ModelEvent[] = []
    const { model } = client([delta(part), delta({ content: 'Yes.' }), delta({}, 'stop')])
    const reply = await model.complete(ask(), { stream: true, onEvent: (one) => events.push(one) })
    expect(reply).toMatchObject({ text: 'Yes.', thoughts: 'Hm.' })
    expect(events).toContainEqual({ type: 'thought-delta', delta: 'Hm.' })
  })
})

describe('the end of an answer whose connection stays open', () => {
  const events = [delta({ tool_calls: [{ ...call, index: 0 }] }), delta({}, 'tool_calls')]

  test('comes when nothing has followed the finish reason', async () => {
    const { model } = client(events, { open: true })
    expect((await model.complete(ask(), { stream: true })).toolCalls).toEqual([read])
  })

  test('also if one line break ends the last event', async () => {
    const last = delta({}, 'tool_calls').trimEnd()
    const { model } = client([events[0] ?? '', `${last}\n`], { open: true })
    expect((await model.complete(ask(), { stream: true })).toolCalls).toEqual([read])
  })

  test('does not come before words that follow a finish reason', async () => {
    const repeated = ['Grü', 'ße', '!'].map((content) => delta({ content }, 'stop'))
    const { model } = client(repeated, { open: true })
    expect((await model.complete(ask(), { stream: true })).text).toBe('Grüße!')
  })

  test('a server that says no usage is not free', async () => {
    const { usage } = await client(events).model.complete(ask(), { stream: true })
    expect(usage.inputTokens).toBeGreaterThan(50)
    expect(usage.outputTokens).toBeGreaterThan(1)
  })
})

describe('nothing waits for ever for a server that hears of no abort', () => {
  const stalls = client(delta({ content: 'Hi' }), { open: true, timeoutMs: 20 }).model
  const silent = createModelClient({
    baseURL: 'https://models.example/v1',
    apiKey: 'sk-test-0123456789',
    model: 'm',
    timeoutMs: 20,
    fetch: () => new Promise(() => {}),
  })
  const unfinished = client('{"choices":', { open: true, timeoutMs: 20, type: 'application/json' }).model

  test.each([
    ['before its answer', silent],
    ['in a stream', stalls],
    ['in a plain answer', unfinished],
  ])('%s, silence ends the call', async (_, model) => {
    await expect(model.complete(ask(), { stream: true })).rejects.toThrow(/was silent/)
  })

  test('a stop ends the call', async () => {
    const stop = new AbortController()
    const { model } = client(delta({ content: 'Hi' }), { open: true })
    const done = model.complete(ask(), {
      stream: true,
      signal: stop.signal,
      onEvent: () => stop.abort(new Error('stopped')),
    })
    await expect(done).rejects.toThrow('stopped')
  })
})

describe('an address of another API', () => {
  const anthropic = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Secret words.' }] }
  const start = { type: 'message_start', message: { role: 'assistant', content: [] } }
  const part = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Secret words.' } }
  const gemini = { candidates: [{ content: { parts: [{ text: 'Secret words.' }] }, finishReason: 'STOP' }] }
  const response = { object: 'response', output: [{ type: 'message', content: [{ text: 'Secret words.' }] }] }
  const line = { message: { role: 'assistant', content: 'Secret words.' }, done: false }

  test.each([
    ['Anthropic Messages', JSON.stringify(anthropic), 'application/json'],
    ['Anthropic Messages', `event: message_start\n${event(start)}${event(part)}`, 'text/event-stream'],
    ['Gemini', JSON.stringify(gemini), 'application/json'],
    ['Gemini', event(gemini), 'text/event-stream'],
    ['OpenAI Responses', JSON.stringify(response), 'application/json'],
    ['OpenAI Responses', event({ type: 'response.created', response }), 'text/event-stream'],
    ['Ollama', JSON.stringify({ ...line, done: true }), 'application/json'],
    [
      'Ollama',
      `${JSON.stringify(line)}\n${JSON.stringify({ ...line, done: true })}\n`,
      'application/x-ndjson',
    ],
  ])('is the operator’s to mend, and is asked once: %s, %#', async (api, body, type) => {
    const { model, asked } = client(body, { type })
    const events: ModelEvent[] = []
    const failure = await model
      .complete(ask('Hi'), { stream: true, onEvent: (one) => events.push(one) })
      .catch((error) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect(failure.message).toContain(`models.example answers in the form of ${api}, not of chat completions`)
    expect(inEnglish(failure.said)).toContain('Please tell whoever runs it')
    expect(JSON.stringify([events, failure.message])).not.toContain('Secret words')
    expect(asked()).toBe(1)
  })
})
