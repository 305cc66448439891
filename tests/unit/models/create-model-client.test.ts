import { afterEach, describe, expect, test, vi } from 'vitest'
import { AgentError } from '../../../shared/loop/agent-error.ts'
import { createModelClient, type ModelClientOptions } from '../../../shared/models/create-model-client.ts'
import { ModelError, type ModelEvent } from '../../../shared/models/model-client.ts'
import { createModelMemory } from '../../../shared/models/model-memory.ts'
import {
  callTool,
  callTools,
  fail,
  type ModelScript,
  type ModelServer,
  type ModelServerReply,
  say,
  sayNothing,
  startModelServer,
} from '../../support/model-server.ts'
import { ask, manualClock, textOf } from './fixtures.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(script: ModelScript, options: Partial<ModelClientOptions> = {}) {
  const server = await startModelServer(script)
  servers.push(server)
  const clock = manualClock()
  const model = createModelClient({
    baseURL: server.url,
    apiKey: 'sk-test-0123456789',
    model: 'scripted-model',
    clock,
    ...options,
  })
  return { server, model, clock }
}

describe('plain and streamed answers give the same reply', () => {
  const cases: Record<string, ModelServerReply> = {
    text: say('Hello there, Ada. Shall I send it?'),
    'a tool call': callTool('search', { query: 'deno', limit: 3 }),
    'text and a tool call': {
      text: 'Let me look.',
      toolCalls: [{ name: 'search', arguments: '{"query":"a"}' }],
    },
    'parallel calls, interleaved': callTools(
      [
        ['search', { query: 'one' }],
        ['search', { query: 'two' }],
        ['smtp_send_email', { to: 'ada@example.com', body: 'Hi' }],
      ],
      { fragments: { size: 3, interleave: true } },
    ),
    'calls without ids': callTools(
      [
        ['search', { query: 'one' }],
        ['search', { query: 'two' }],
      ],
      { fragments: { interleave: true, omitIds: true } },
    ),
    'calls without an index': callTools(
      [
        ['search', { query: 'one' }],
        ['search', { query: 'two' }],
      ],
      { fragments: { omitIndex: true } },
    ),
    'calls that all say index 0': callTools(
      [
        ['search', { query: 'one' }],
        ['search', { query: 'two' }],
      ],
      { fragments: { sameIndex: true } },
    ),
    'calls with neither id nor index': callTools(
      [
        ['search', { query: 'one' }],
        ['search', { query: 'two' }],
      ],
      { fragments: { omitIds: true, omitIndex: true } },
    ),
    'broken arguments, as they were written': callTool('search', '{"query": "deno",, limit: tru'),
    'an empty answer': sayNothing(),
    'no choices': say('', { noChoices: true }),
    'an answer cut by length': say('It is', { finishReason: 'length' }),
    'a malformed call reported by the provider': sayNothing({
      finishReason: 'function_call_filter: MALFORMED_FUNCTION_CALL',
    }),
    'no finish reason': say('Hi', { finishReason: null }),
    'no usage': say('Hi', { usage: null }),
    'a call written as text': say(
      'One moment.\n<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>',
    ),
    thinking: say('<think>She wants a search.</think>\n\nShall I search?'),
  }
  const withoutIds = /without ids|neither id/

  for (const [name, reply] of Object.entries(cases)) {
    test(name, async () => {
      // Ids as the server leaves them out of the stream.
      const bare = reply.toolCalls?.map((call) => ({ ...call, id: null }))
      const plainReply = withoutIds.test(name) ? { ...reply, toolCalls: bare ?? [] } : reply
      const numbered = withoutIds.test(name)
        ? plainReply
        : {
            ...reply,
            ...(reply.toolCalls
              ? { toolCalls: reply.toolCalls.map((call, index) => ({ ...call, id: `call_${index}` })) }
              : {}),
          }
      const { model } = await start([numbered, numbered])
      const events: ModelEvent[] = []
      const plain = await model.complete(ask())
      const streamed = await model.complete(ask(), { stream: true, onEvent: (event) => events.push(event) })
      expect(streamed).toEqual(plain)
      expect(textOf(events).trimEnd()).toBe(plain.text.trimEnd())
      const native = plain.toolCalls.filter((call) => !call.writtenAsText)
      for (const [index, call] of native.entries()) {
        expect(events).toContainEqual({ type: 'tool-input-start', index, toolName: call.name })
        const written = events.map((event) =>
          event.type === 'tool-input-delta' && event.index === index ? event.delta : '',
        )
        expect(written.join('')).toBe(call.rawArguments)
      }
    })
  }

  test('the reply says what came', async () => {
    const { model } = await start([
      callTools([
        ['search', '{"query": "a"'],
        ['smtp_send_email', '{}'],
      ]),
      say('', { noChoices: true }),
      sayNothing({ finishReason: 'MALFORMED_FUNCTION_CALL' }),
    ])
    expect(await model.complete(ask())).toEqual({
      text: '',
      toolCalls: [
        { id: 'call_1', name: 'search', rawArguments: '{"query": "a"' },
        { id: 'call_2', name: 'smtp_send_email', rawArguments: '{}' },
      ],
      finishReason: 'tool_calls',
      hasChoice: true,
      usage: { inputTokens: 20, outputTokens: 10 },
      provider: 'any',
      model: 'scripted-model',
    })
    expect(await model.complete(ask())).toMatchObject({ hasChoice: false, text: '', finishReason: '' })
    expect(await model.complete(ask())).toMatchObject({ finishReason: 'malformed_function_call' })
  })

  test('a server that answers a stream with JSON is understood', async () => {
    const body = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }
    const { model } = await start([say('', { body })])
    const events: ModelEvent[] = []
    const reply = await model.complete(ask(), { stream: true, onEvent: (event) => events.push(event) })
    expect(reply).toMatchObject({ text: 'Hi', finishReason: 'stop' })
    expect(textOf(events)).toBe('Hi')
  })

  test('arguments sent as an object are text again, content in parts is joined, a refusal is text', async () => {
    const message = {
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Hello' },
      ],
      tool_calls: [{ function: { name: 'search', arguments: { query: 'a' } } }],
    }
    const { model } = await start([
      say('', { body: { choices: [{ message }] } }),
      say('', { body: { choices: [{ message: { content: null, refusal: 'I must not.' } }] } }),
    ])
    expect(await model.complete(ask())).toMatchObject({
      text: 'Hello',
      toolCalls: [{ name: 'search', rawArguments: '{"query":"a"}' }],
    })
    expect((await model.complete(ask())).text).toBe('I must not.')
  })
})

describe('calls written as text', () => {
  test('are never shown while they stream', async () => {
    const text = 'Let me look.\n```json\n{"name": "search", "arguments": {"query": "x"}}\n```'
    const { model } = await start([say(text, { fragments: { size: 1 } })])
    const events: ModelEvent[] = []
    const reply = await model.complete(ask(), { stream: true, onEvent: (event) => events.push(event) })
    expect(reply.toolCalls).toEqual([{ name: 'search', rawArguments: '{"query": "x"}', writtenAsText: true }])
    expect(reply.text).toBe('Let me look.')
    expect(textOf(events).trim()).toBe('Let me look.')
  })

  test('stay text where only text was asked for, or where there are native calls', async () => {
    const written = '{"name": "search", "arguments": {"query": "x"}}'
    const { model } = await start([
      say(written),
      { text: written, toolCalls: [{ name: 'search', arguments: '{"query":"y"}' }] },
    ])
    expect(await model.complete(ask('x', { toolChoice: 'none' }))).toMatchObject({
      text: written,
      toolCalls: [],
    })
    const native = await model.complete(ask())
    expect(native.text).toBe(written)
    expect(native.toolCalls.map((call) => call.rawArguments)).toEqual(['{"query":"y"}'])
  })

  test('that Groq could not read are read, or reported as malformed', async () => {
    const groq = (failed_generation: string) =>
      fail(400, {
        body: {
          error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation },
        },
      })
    const { model, server } = await start([
      groq('<function=search{"query": "x"}</function>'),
      groq('search it'),
    ])
    expect(await model.complete(ask())).toMatchObject({
      toolCalls: [{ name: 'search', rawArguments: '{"query": "x"}' }],
    })
    expect(await model.complete(ask())).toMatchObject({
      finishReason: 'malformed_function_call',
      toolCalls: [],
    })
    expect(server.requests).toHaveLength(2)
  })
})

describe('failures', () => {
  for (const stream of [false, true]) {
    const kind = stream ? 'streamed' : 'plain'

    test(`500 and 429 are tried 3 times on the only model, ${kind}`, async () => {
      const { model, server, clock } = await start([fail(500), fail(429), say('There.')])
      const events: ModelEvent[] = []
      const reply = await model.complete(ask(), { stream, onEvent: (event) => events.push(event) })
      expect(reply.text).toBe('There.')
      expect(server.requests).toHaveLength(3)
      expect(clock.slept).toEqual([500, 1000])
      expect(events.filter((event) => event.type === 'model-retry')).toEqual([
        {
          type: 'model-retry',
          model: 'scripted-model',
          attempt: 2,
          waitMs: 500,
          reason: 'it failed (HTTP 500): Scripted error 500',
        },
        {
          type: 'model-retry',
          model: 'scripted-model',
          attempt: 3,
          waitMs: 1000,
          reason: 'it asks for a pause (HTTP 429): Scripted error 429',
        },
      ])
    })

    test(`a server that stays down ends in a ModelError that is no refusal, ${kind}`, async () => {
      const { model, server } = await start(() => fail(503))
      const error = await model.complete(ask(), { stream }).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ModelError)
      expect(error).toMatchObject({ httpStatus: 503, refused: false })
      expect(server.requests).toHaveLength(3)
    })

    test(`a connection cut before the headers is tried again, ${kind}`, async () => {
      const { model } = await start([say('x', { cut: 'before-headers' }), say('Back.')])
      expect((await model.complete(ask(), { stream })).text).toBe('Back.')
    })

    test(`an answer cut in the middle is never a reply, ${kind}`, async () => {
      for (const cut of ['mid-stream', 'clean-mid-stream'] as const) {
        const { model, server } = await start([
          callTool('smtp_send_email', { to: 'ada@example.com', body: 'All of it' }, { cut }),
          callTool('smtp_send_email', { to: 'ada@example.com', body: 'All of it' }),
        ])
        const reply = await model.complete(ask(), { stream })
        expect(JSON.parse(reply.toolCalls[0]?.rawArguments ?? '')).toEqual({
          to: 'ada@example.com',
          body: 'All of it',
        })
        expect(server.requests).toHaveLength(2)
      }
    })

    test(`a wrong key is refused at once, without the key in the text, ${kind}`, async () => {
      const { model, server } = await start([
        fail(401, { errorMessage: 'Incorrect API key provided: sk-test-0123456789.' }),
      ])
      const error = await model.complete(ask(), { stream }).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ name: 'ModelError', httpStatus: 401, refused: true })
      expect(String(error)).toContain('OPENAI_API_KEY')
      expect(String(error)).not.toContain('sk-test')
      expect(server.requests).toHaveLength(1)
    })

    test(`a server that falls silent is given up, ${kind}`, async () => {
      const { model, server } = await start(
        [say('Half of it', { hang: true, ...(stream ? { afterChunks: 2 } : {}) })],
        {
          timeoutMs: 30,
        },
      )
      await expect(model.complete(ask(), { stream })).rejects.toThrow(/was silent for 30 ms/)
      expect(await server.requests[0]?.ended).toEqual({ aborted: true })
      expect(server.requests).toHaveLength(1)
    })

    test(`the signal ends the request and is the reason, ${kind}`, async () => {
      const { model, server } = await start([
        say('Half of it', { hang: true, ...(stream ? { afterChunks: 2 } : {}) }),
      ])
      const controller = new AbortController()
      const reply = model.complete(ask(), { stream, signal: controller.signal })
      const request = await server.waitForRequest(1)
      controller.abort(new Error('stopped by the user'))
      await expect(reply).rejects.toThrow('stopped by the user')
      expect(await request.ended).toEqual({ aborted: true })
    })
  }

  test('an aborted signal sends nothing', async () => {
    const { model, server } = await start([say('Hi')])
    await expect(model.complete(ask(), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(server.requests).toHaveLength(0)
  })

  test('the signal ends a wait between tries', async () => {
    const controller = new AbortController()
    const server = await startModelServer([fail(500)])
    servers.push(server)
    const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
    const reply = model.complete(ask(), {
      signal: controller.signal,
      onEvent: (event) => event.type === 'model-retry' && controller.abort(new Error('stopped')),
    })
    await expect(reply).rejects.toThrow('stopped')
    expect(server.requests).toHaveLength(1)
  })

  test('no server at the address is a refusal', async () => {
    const server = await startModelServer([])
    await server.close()
    const model = createModelClient({ baseURL: server.url, apiKey: 'key', model: 'm' })
    const error = await model.complete(ask()).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ModelError', refused: true })
    expect(String(error)).toContain('no model server answers at 127.0.0.1:')
  })

  test('Retry-After is waited for; one that is too long is handed on', async () => {
    const { model, clock, server } = await start([
      fail(429, { headers: { 'retry-after': '2' } }),
      say('Now.'),
      fail(429, { headers: { 'retry-after': '60' } }),
    ])
    expect((await model.complete(ask())).text).toBe('Now.')
    expect(clock.slept).toEqual([2000])
    const error = await model.complete(ask()).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ModelError', httpStatus: 429, retryAfterMs: 60_000, refused: false })
    expect(server.requests).toHaveLength(3)
  })

  test('an account without credit is not asked again', async () => {
    const { model, server } = await start([fail(429, { errorCode: 'insufficient_quota' })])
    await expect(model.complete(ask())).rejects.toMatchObject({ refused: true })
    expect(server.requests).toHaveLength(1)
  })

  test('a request the server does not take is not asked again', async () => {
    const { model, server } = await start([fail(400, { errorMessage: 'The context is too long.' })])
    await expect(model.complete(ask())).rejects.toMatchObject({ httpStatus: 400, refused: false })
    expect(server.requests).toHaveLength(1)
  })

  test('a page of a proxy is not quoted', async () => {
    const { model } = await start(() =>
      fail(502, { body: '<html>Bad</html>', headers: { 'content-type': 'text/html' } }),
    )
    await expect(model.complete(ask())).rejects.toThrow(/scripted-model: it failed \(HTTP 502\)\.$/)
  })

  test('a stack, a path and a key in the words of a crashed server are not quoted', async () => {
    const words = {
      'Out of memory at /srv/app/serve.py:12\n    at run (/srv/app/run.js:3:1)':
        'it failed (HTTP 500): Out of memory at ….',
      'Traceback (most recent call last):\n  File "/srv/x.py", line 1\nKeyError: 5': 'it failed (HTTP 500).',
      'The key sk-live-0123456789abcdef is not known here':
        'it failed (HTTP 500): The key *** is not known here.',
    }
    for (const [body, sentence] of Object.entries(words)) {
      const { model } = await start(() => fail(500, { body }))
      const error = await model.complete(ask()).catch((cause: Error) => cause.message)
      expect(error).toBe(`No language model answered. scripted-model: ${sentence}`)
    }
  })

  test('what is no tool call in a list of tool calls is left out', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }
    const message = {
      role: 'assistant',
      content: [null, 5, { type: 'text', text: 'Hi' }],
      tool_calls: [null, 7, call],
    }
    const { model } = await start([{ body: { choices: [{ message, finish_reason: 'tool_calls' }] } }])
    expect(await model.complete(ask())).toMatchObject({
      text: 'Hi',
      toolCalls: [{ name: 'search', rawArguments: '{}' }],
    })
  })

  test('an error inside a 200 answer is an error', async () => {
    const body = { error: { message: 'Upstream is overloaded', code: 529 } }
    const { model } = await start([say('', { body }), say('Fine.')])
    expect((await model.complete(ask())).text).toBe('Fine.')
  })

  test('an error inside a stream before any text restarts silently, after it with an event', async () => {
    const broken = (afterChunks: number) =>
      say('Dear Ada, here it is', { errorInStream: { message: 'Overloaded' }, afterChunks })
    const { model } = await start([broken(1), say('Hello.'), broken(3), say('Hello.')])
    const types = async () => {
      const events: ModelEvent[] = []
      await model.complete(ask(), { stream: true, onEvent: (event) => events.push(event) })
      const restart = events.findIndex((event) => event.type === 'restart')
      return { restart: restart >= 0, text: textOf(events.slice(restart + 1)) }
    }
    expect(await types()).toEqual({ restart: false, text: 'Hello.' })
    expect(await types()).toEqual({ restart: true, text: 'Hello.' })
  })

  test('a shown tool call that breaks off is announced too', async () => {
    const { model } = await start([
      callTool('search', { query: 'deno' }, { cut: 'mid-stream', afterChunks: 3 }),
      callTool('search', { query: 'deno' }),
    ])
    const events: string[] = []
    await model.complete(ask(), { stream: true, onEvent: ({ type }) => events.push(type) })
    expect(events.filter((type) => type !== 'tool-input-delta')).toEqual([
      'tool-input-start',
      'model-retry',
      'restart',
      'tool-input-start',
    ])
  })
})

describe('fallbacks', () => {
  test('the next model answers at once, on the same server or on another one', async () => {
    const other = await startModelServer([say('From the other server.')])
    servers.push(other)
    const { model, server, clock } = await start([fail(500), fail(500)], {
      fallbacks: ['second', { baseURL: other.url, apiKey: 'other-key', model: 'third' }],
    })
    expect(model.models).toEqual(['scripted-model', 'second', 'third'])
    const events: ModelEvent[] = []
    const reply = await model.complete(ask(), { onEvent: (event) => events.push(event) })
    expect(reply).toMatchObject({ text: 'From the other server.', model: 'third' })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['scripted-model', 'second'])
    expect(other.requests[0]?.headers.authorization).toBe('Bearer other-key')
    expect(clock.slept).toEqual([])
    expect(events).toEqual([
      {
        type: 'model-switch',
        from: 'scripted-model',
        to: 'second',
        reason: 'it failed (HTTP 500): Scripted error 500',
      },
      {
        type: 'model-switch',
        from: 'second',
        to: 'third',
        reason: 'it failed (HTTP 500): Scripted error 500',
      },
    ])
  })

  test('a key never goes to another server', async () => {
    const other = await startModelServer([say('Hi')])
    servers.push(other)
    const { model } = await start([fail(500)], { fallbacks: [{ baseURL: other.url, model: 'keyless' }] })
    await model.complete(ask())
    expect(other.requests[0]?.headers.authorization).toBeUndefined()
  })

  test('what one client learned holds for the next one with the same memory', async () => {
    const memory = createModelMemory()
    const { server, model, clock } = await start([fail(500), say('1'), say('2')], {
      memory,
      fallbacks: ['second'],
    })
    await model.complete(ask())
    const next = createModelClient({
      baseURL: server.url,
      apiKey: 'k',
      model: 'scripted-model',
      fallbacks: ['second'],
      memory,
      clock,
    })
    await next.complete(ask())
    expect(server.requests.map(({ body }) => body.model)).toEqual(['scripted-model', 'second', 'second'])
  })
})

describe('configuration', () => {
  test('nothing is sent without a key, a model name or a readable address', async () => {
    const { server } = await start([])
    const faulty = [
      { baseURL: server.url, apiKey: ' ', model: 'm' },
      { baseURL: server.url, apiKey: 'key', model: '' },
      { baseURL: 'not a url', apiKey: 'key', model: 'm' },
      { baseURL: 'ftp://models.example', apiKey: 'key', model: 'm' },
      { baseURL: 'https://me:hunter2@models.example/v1', apiKey: 'key', model: 'm' },
      { baseURL: 'https://api.openai.com/v1', model: 'gpt-4.1' },
      { baseURL: server.url, apiKey: 'line\nbreak', model: 'm' },
    ]
    for (const options of faulty) {
      const error = await createModelClient(options)
        .complete(ask())
        .catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(AgentError)
      expect(error).toMatchObject({ kind: 'configuration' })
      expect(String(error)).not.toContain('hunter2')
    }
    expect(server.requests).toHaveLength(0)
  })

  test('the base URL may end in a slash and have a query', async () => {
    const { server } = await start([say('1'), say('2')])
    for (const baseURL of [`${server.url}/`, `${server.url}?api-version=1`]) {
      await createModelClient({ baseURL, apiKey: 'k', model: 'm' }).complete(ask())
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
  })
})

test('a silent model gives way after a minute where there is another one', async () => {
  const signals: AbortSignal[] = []
  vi.useFakeTimers()
  try {
    const model = createModelClient({
      baseURL: 'https://models.example/v1',
      model: 'silent',
      fallbacks: ['other'],
      fetch: (_url, init) => {
        const { model: asked } = JSON.parse(String(init?.body))
        if (asked === 'other')
          return Promise.resolve(Response.json({ choices: [{ message: { content: 'Hi.' } }] }))
        return new Promise((_resolve, reject) => {
          if (init?.signal) signals.push(init.signal)
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        })
      },
    })
    const reply = model.complete(ask())
    await vi.advanceTimersByTimeAsync(59_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(2000)
    expect((await reply).model).toBe('other')
  } finally {
    vi.useRealTimers()
  }
})

test('the cost of a call is reported where the price is known, and never as 0', async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 }
  const { model } = await start([say('1', { usage }), say('2', { usage: null })], {
    provider: 'openai',
    model: 'gpt-4.1-mini',
    fallbacks: ['unknown'],
  })
  expect((await model.complete(ask())).cost).toBeCloseTo(0.00056, 8)
  expect(await model.complete(ask())).not.toHaveProperty('cost')
})
