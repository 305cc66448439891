import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import type { ModelEvent } from '../../../shared/engine/models/protocol/model-client.ts'
import {
  callTool,
  callTools,
  fail,
  type ModelServerReply,
  say,
  sayNothing,
  startModelServer,
} from '../../../support/model-server.ts'
import { ask, textOf } from './fixtures.ts'
import { start } from './scripted-model.ts'

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

  test('arguments sent as an object keep their digits, and a price of many digits is a number', async () => {
    const call = '{"function": {"name": "delete", "arguments": {"id": 1161380288898609915}}}'
    const usage = '{"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.0012345678901234567890123}'
    const { model } = await start([
      say('', { body: `{"choices": [{"message": {"tool_calls": [${call}]}}], "usage": ${usage}}` }),
    ])
    const reply = await model.complete(ask())
    expect(reply.toolCalls[0]?.rawArguments).toBe('{"id":"1161380288898609915"}')
    expect(reply.cost).toBeCloseTo(0.001234567890123)
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

  test('are no answer where only text was asked for, and nothing beside native calls', async () => {
    const written = '{"name": "search", "arguments": {"query": "x"}}'
    const { model } = await start([
      say(written),
      { text: `One moment.\n${written}`, toolCalls: [{ name: 'search', arguments: '{"query":"y"}' }] },
    ])
    expect(await model.complete(ask('x', { toolChoice: 'none' }))).toMatchObject({
      text: '',
      toolCalls: [],
      finishReason: 'malformed_function_call',
    })
    const native = await model.complete(ask())
    expect(native.text).toBe('One moment.')
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

describe('fallbacks', () => {
  test('the next model answers at once, on the same server or on another one', async () => {
    const other = await startModelServer([say('From the other server.')])
    onTestFinished(() => other.close())
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
        reason: 'it failed: Scripted error 500',
        failure: { errorType: '500', why: 'it failed' },
      },
      {
        type: 'model-switch',
        from: 'second',
        to: 'third',
        reason: 'it failed: Scripted error 500',
        failure: { errorType: '500', why: 'it failed' },
      },
    ])
  })

  test('a key never goes to another server', async () => {
    const other = await startModelServer([say('Hi')])
    onTestFinished(() => other.close())
    const { model } = await start([fail(500)], { fallbacks: [{ baseURL: other.url, model: 'keyless' }] })
    await model.complete(ask())
    expect(other.requests[0]?.headers.authorization).toBeUndefined()
  })

  test('the next client with the same memory knows what one has learned', async () => {
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

test('the cost of a call is reported where the price is known, also of one whose tokens nobody says', async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 }
  const { model } = await start([say('1', { usage }), say('2', { usage: null })], {
    provider: 'openai',
    model: 'gpt-4.1-mini',
    fallbacks: ['unknown'],
  })
  expect((await model.complete(ask())).cost).toBeCloseTo(0.00056, 8)
  expect((await model.complete(ask())).cost).toBeGreaterThan(0)
})
