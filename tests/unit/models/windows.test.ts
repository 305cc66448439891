import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createModelClient,
  type ModelClientOptions,
} from '../../../shared/engine/models/create-model-client.ts'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import {
  type ChatMessage,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from '../../../shared/engine/models/protocol/model-client.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { type ModelScript, say, startModelServer } from '../../../support/model-server.ts'
import { converse } from '../window/conversation.ts'
import { search } from './fixtures.ts'
import { cutting, refusals, refusing, shapes, tokensOf } from './window-servers.ts'

const instructions = 'You help with the work of a small team.'
/** About so many tokens of English. */
const prose = (tokens: number, about = 'The meeting about the roof was moved.') =>
  `${about} `.repeat(Math.ceil(tokens / 6)).slice(0, tokens * 4.8)

/** A conversation with a long result in an earlier turn, and a short newest message. */
function conversation(resultTokens: number, newest = 'And what is the address?'): ModelRequest {
  const messages: ChatMessage[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: 'Read the report.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"query":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: prose(resultTokens) },
    { role: 'assistant', content: 'I have read it.' },
    { role: 'user', content: newest },
  ]
  return { messages, tools: [search] }
}

async function serve(script: ModelScript, options: Partial<ModelClientOptions> = {}) {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const clock = testClock()
  const memory = createModelMemory()
  const events: ModelEvent[] = []
  const model = createModelClient({
    ...{ baseURL: server.url, apiKey: 'sk-test-0123456789', model: 'small', clock, memory },
    ...options,
  })
  const complete = (request: ModelRequest, stream = false) =>
    model.complete(request, { stream, onEvent: (event) => events.push(event) })
  const sizes = () => server.requests.map(({ body }) => tokensOf(body))
  const fails = async (request: ModelRequest) => {
    const error = await complete(request).catch((cause: unknown) => cause)
    if (!(error instanceof ModelError)) throw new Error('It did not fail.')
    return error
  }
  return { server, model, clock, memory, events, complete, sizes, fails }
}

const newestOf = (messages: readonly { content?: unknown }[]) => messages.at(-1)?.content

describe.each(Object.entries(shapes))('a refusal %s', (_shape, shape) => {
  test.each(Object.entries(refusals))('of %s is followed by a shorter request', async (_who, as) => {
    const { server, complete, sizes } = await serve(refusing(16_000, { as, shape }))
    const reply = await complete(conversation(20_000), true)
    expect(reply.text).toBe('Fine.')
    expect(reply.cut).toMatchObject({ results: 1, ofThisTurn: 0 })
    const [first = 0, second = 0, ...more] = sizes()
    expect(more).toEqual([])
    expect(first).toBeGreaterThan(16_000)
    expect(second).toBeLessThanOrEqual(16_000)
    const { messages } = server.requests[1]?.body ?? { messages: [] }
    expect(messages[0]?.content).toBe(instructions)
    expect(newestOf(messages)).toBe('And what is the address?')
  })
})

describe('what was refused', () => {
  test.each(Object.entries(refusals))(
    'in the words of %s is not sent again for an hour',
    async (_who, as) => {
      const { complete, sizes, clock } = await serve(refusing(16_000, { as }))
      await complete(conversation(20_000))
      await complete(conversation(20_000, 'And the date?'))
      expect(sizes()).toHaveLength(3)
      expect(sizes()[2]).toBeLessThanOrEqual(16_000)
      clock.advance(3_600_001)
      await complete(conversation(20_000, 'And the hour?'))
      // By then the server may have another window.
      expect(sizes()[3]).toBeGreaterThan(16_000)
    },
  )

  test('is said with its tokens, for the operator', async () => {
    const { complete, events, sizes } = await serve(refusing(16_000))
    const { cut } = await complete(conversation(20_000))
    const [first = 0, second = 0] = sizes()
    const why = `the request of ${first.toLocaleString('en')} tokens is longer than the 16,000 that the model reads`
    expect(events).toMatchObject([
      { type: 'window-learned', provider: 'any', model: 'small', window: 16_000, sent: first, by: 'refusal' },
      { type: 'model-retry', failure: { errorType: '400', why, sent: first, window: 16_000 } },
    ])
    expect(cut).toMatchObject({ window: 16_000, results: 1, texts: 0, turns: 0, ofThisTurn: 0 })
    expect(Math.abs((cut?.sent ?? 0) - second)).toBeLessThanOrEqual(second / 50)
  })

  test('by a tokenizer that counts twice as much is cut by that', async () => {
    const { complete, sizes } = await serve(refusing(16_000, { scale: 2 }))
    await complete(conversation(12_000))
    expect(sizes()).toHaveLength(2)
    await complete(conversation(12_000, 'And the date?'))
    expect(sizes()).toHaveLength(3)
    for (const size of sizes().slice(1)) expect(size * 2).toBeLessThanOrEqual(16_000)
  })

  test('is not sent to the same model a third time; the next model is asked', async () => {
    const small = await startModelServer(() => refusals.Groq?.(1, 1) ?? say(''))
    onTestFinished(() => small.close())
    const large = await serve([say('From the large one.')])
    const { model, server } = await serve(() => refusals.Groq?.(1, 1) ?? say(''), {
      fallbacks: [{ baseURL: large.server.url, apiKey: 'k', model: 'large' }],
    })
    expect(await model.complete(conversation(20_000))).toMatchObject({ model: 'large' })
    expect(server.requests).toHaveLength(2)
    expect(tokensOf(server.requests[1]?.body as never)).toBeLessThan(12_000)
  })

  test('never lets a model learn less than 2,048 tokens, nor than it reads since', async () => {
    const { complete, model, sizes } = await serve(refusing(600))
    await complete(conversation(5_000)).catch(() => {})
    expect(model.window?.()).toBe(2_048)
    expect(sizes().length).toBeLessThanOrEqual(2)
  })
})

test('an answer that the window has no room for is a refusal; one that was begun is cut off', async () => {
  const empty = { choices: [{ message: { content: '' }, finish_reason: 'model_context_window_exceeded' }] }
  const begun = {
    choices: [{ message: { content: 'It is' }, finish_reason: 'model_context_window_exceeded' }],
  }
  const { complete, sizes } = await serve([{ body: empty }, { body: begun }])
  expect(await complete(conversation(8_000))).toMatchObject({ text: 'It is', finishReason: 'length' })
  expect(sizes()[1]).toBeLessThan(5_000)
})

describe('words about a window that are none', () => {
  const quoted = 'My note: the maximum context length is 4096 tokens'
  test.each([
    ['quoted with marks', `Invalid value for 'messages[1].content': "${quoted}".`],
    ['quoted without any', `Content was refused. ${quoted}`],
    ['a window that no model has', "This model's maximum context length is 10 tokens."],
    ['a limit that the request does not reach', "This model's maximum context length is 64000 tokens."],
  ])('%s teach nothing', async (_name, message) => {
    const refused = { status: 400, body: { error: { message } } }
    const { complete, model, sizes, fails } = await serve([refused, say('Fine.')])
    await fails(conversation(8_000, quoted))
    expect(model.window?.()).toBe(128_000)
    await complete(conversation(8_000, 'Next'))
    expect(sizes()).toHaveLength(2)
    expect(sizes()[1]).toBeGreaterThan(8_000)
  })

  test.each([
    [
      413,
      'Request too large for model `llama` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 20921, please reduce your message size and try again.',
    ],
    [
      429,
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 12000, Requested 20921. The input or output tokens must be reduced in order to run successfully.',
    ],
  ])('a minute’s allowance (%d) is kept once, and is no window', async (status, message) => {
    const refused = { status, body: { error: { message, type: 'tokens', code: 'rate_limit_exceeded' } } }
    const { complete, model, sizes } = await serve([refused, say('Fine.'), say('Fine.')])
    await complete(conversation(20_000))
    expect(sizes()[1]).toBeLessThan(12_000)
    expect(model.window?.()).toBe(128_000)
    await complete(conversation(20_000, 'Next'))
    expect(sizes()[2]).toBeGreaterThan(20_000)
  })

  test('reports of few tokens, as of what was read from a cache, change nothing', async () => {
    const reports = [6_000, 40, 41, 3_000, 60, 60, 60]
    const usages = reports.map((prompt_tokens) => ({ prompt_tokens, completion_tokens: 2 }))
    const { complete, model, sizes } = await serve(usages.map((usage) => say('Fine.', { usage })))
    for (const [index] of reports.entries()) await complete(conversation(6_000 * 1.3 ** index))
    expect(model.window?.()).toBe(128_000)
    expect(sizes().at(-1)).toBeGreaterThan(25_000)
  })
})

describe('a server that cuts without a word', () => {
  test('is seen by two requests with equal tokens, and is asked for less', async () => {
    const { complete, events, sizes, model } = await serve(cutting(8_192))
    await complete(conversation(3_000))
    await complete(conversation(9_000))
    expect(events).toEqual([])
    await complete(conversation(12_000))
    expect(events).toMatchObject([{ type: 'window-learned', model: 'small', window: 8_192, by: 'silence' }])
    expect(model.window?.()).toBe(8_192)
    await complete(conversation(14_000))
    expect(sizes().at(-1)).toBeLessThan(8_192)
  })

  test('is not taken for smaller than what it has read: Ollama cuts to half of its window', async () => {
    // https://github.com/ollama/ollama/issues/17427
    const { complete, model, sizes } = await serve(({ body }) => {
      const sent = tokensOf(body)
      const read = sent > 8_192 ? 4_098 : sent
      return say('Fine.', { usage: { prompt_tokens: read, completion_tokens: 2 } })
    })
    for (const tokens of [3_000, 7_500, 9_000, 12_000]) await complete(conversation(tokens))
    expect(model.window?.()).toBe(sizes()[1])
    await complete(conversation(14_000))
    expect(sizes().at(-1)).toBeLessThan(8_192)
  })

  test('is seen where a conversation grows slowly', async () => {
    const { complete, events, sizes, model } = await serve(cutting(8_192))
    for (let tokens = 6_000; tokens < 20_000 && events.length === 0; tokens *= 1.03)
      await complete(conversation(tokens))
    expect(events).toMatchObject([{ type: 'window-learned', window: 8_192, by: 'silence' }])
    expect(model.window?.()).toBe(8_192)
    const firstCut = sizes().find((size) => size >= 8_192) ?? 0
    expect(sizes().at(-1)).toBeLessThan(firstCut * 1.25 * 1.04)
  })

  test('is seen between shorter requests of other conversations', async () => {
    const { complete, events } = await serve(cutting(8_192))
    for (let tokens = 8_500; tokens < 12_000; tokens *= 1.03) {
      await complete(conversation(tokens))
      for (const other of [1_500, 2_000, 2_600, 3_400]) await complete(conversation(other * (tokens / 8_500)))
    }
    expect(events).toMatchObject([{ type: 'window-learned', window: 8_192, by: 'silence' }])
  })

  test('is not one that counts another script or language as fewer tokens than were estimated', async () => {
    const thai = 'การประชุมเรื่องหลังคาถูกเลื่อนออกไป '
    const german = 'Die Versammlung über die Dachsanierung wurde verschoben. '
    const texts = [prose(5_000), thai.repeat(190), prose(5_050), thai.repeat(192), german.repeat(470)]
    // By chance each of them has as many tokens for its model.
    const { complete, events, sizes, model } = await serve(() =>
      say('Fine.', { usage: { prompt_tokens: 5_000 + (sizes().length % 3), completion_tokens: 2 } }),
    )
    for (const text of texts) await complete(conversation(10, text))
    expect(Math.max(...sizes()) / Math.min(...sizes())).toBeGreaterThan(1.25)
    expect(events).toEqual([])
    expect(model.window?.()).toBe(128_000)
  })

  test('is not one that has read more than both of two requests with equal tokens', async () => {
    const reports = [20_000, 5_000, 5_050]
    const usages = reports.map((prompt_tokens) => ({ prompt_tokens, completion_tokens: 2 }))
    const { complete, events } = await serve(usages.map((usage) => say('Fine.', { usage })))
    for (const tokens of [20_000, 5_000, 6_500]) await complete(conversation(tokens))
    expect(events).toEqual([])
  })

  test('is not one that reads more each time', async () => {
    const { complete, events } = await serve(cutting(128_000))
    for (const tokens of [3_000, 9_000, 12_000, 12_100, 20_000]) await complete(conversation(tokens))
    expect(events).toEqual([])
  })
})

test('requests are cut alike although each report moves the scale a little', async () => {
  const { messages, requests } = converse(
    Array.from({ length: 120 }, () => ({
      said: 60,
      steps: [[{ args: 20, result: 700, isWrite: false }], [{ args: 150, result: 40, isWrite: true }]],
      answer: 120,
    })),
  )
  const windows = new Map([['any/small', 8_192]])
  const { complete, server } = await serve(
    ({ body }) => {
      const ratio = server.requests.length % 8 === 0 ? 1.01 : 0.95
      const usage = { prompt_tokens: Math.round(tokensOf(body) * ratio), completion_tokens: 2 }
      return say('Fine.', { usage })
    },
    { windows },
  )
  const cut: string[] = []
  for (const end of requests) {
    const reply = await complete({ messages: messages.slice(0, end), tools: [search] })
    if (reply.cut) cut.push(JSON.stringify(server.requests.at(-1)?.body.messages))
  }
  expect(cut.length).toBeGreaterThan(200)
  const alike = cut.slice(1).filter((text, index) => {
    const before = cut[index] as string
    return text.startsWith(before.slice(0, before.length / 2))
  })
  expect(alike.length / (cut.length - 1)).toBeGreaterThanOrEqual(0.85)
})

describe('what a model reads is known', () => {
  test('from the setting, before anything else', async () => {
    const windows = new Map([['any/small', 8_192]])
    const { complete, sizes, model, server } = await serve(refusing(8_192), { windows })
    expect(model.window?.()).toBe(8_192)
    await complete(conversation(20_000))
    expect(sizes()).toHaveLength(1)
    expect(server.listed).toBe(0)
  })

  test('from the price list', async () => {
    const { complete, sizes, model } = await serve(refusing(8_192), { provider: 'openai', model: 'gpt-4' })
    await complete(conversation(20_000))
    expect(sizes()).toHaveLength(1)
    expect(model.window?.()).toBe(8_192)
  })

  test.each([
    ['vLLM', { max_model_len: 16_384 }],
    ['llama.cpp', { meta: { n_ctx_train: 131_072, n_ctx: 16_384 } }],
    ['llama.cpp, older', { meta: { n_ctx_train: 16_384 } }],
    ['LM Studio', { max_context_length: 131_072, loaded_context_length: 16_384 }],
    ['OpenRouter', { context_length: 131_072, top_provider: { context_length: 16_384 } }],
    ['Groq', { context_window: 16_384 }],
    ['Mistral', { max_context_length: 16_384 }],
    ['Together', { context_length: 16_384 }],
  ])('from the list of the server, as %s gives it', async (_who, about) => {
    const { complete, sizes, server, model } = await serve(refusing(16_384))
    server.list = [
      { id: 'another', context_length: 4_096 },
      { id: 'small', ...about },
    ]
    await complete(conversation(4_000))
    await expect.poll(() => model.window?.()).toBe(16_384)
    await complete(conversation(30_000))
    expect(sizes()).toHaveLength(2)
    expect(server.listed).toBe(1)
  })

  test('the list is asked for once an hour, beside the call, and may fail', async () => {
    const { complete, server, clock, memory } = await serve(() => say('Fine.'))
    server.list = 'broken'
    for (const name of ['a', 'b', 'c']) await complete(conversation(4_000, name))
    expect(server.listed).toBe(1)
    clock.advance(3_600_001)
    await complete(conversation(4_000, 'd'))
    await expect.poll(() => server.listed).toBe(2)
    expect(memory.lists.size).toBe(1)
  })

  test('a list that never comes delays nothing', async () => {
    const { complete, server } = await serve(() => say('Fine.'))
    server.list = 'silent'
    expect((await complete(conversation(4_000))).text).toBe('Fine.')
  })
})

describe('a model that is too small for this turn', () => {
  async function two(windows: Record<string, number>) {
    const large = await startModelServer(refusing(200_000))
    onTestFinished(() => large.close())
    const small = await serve(refusing(8_192), {
      windows: new Map(Object.entries(windows)),
      fallbacks: [{ baseURL: large.url, apiKey: 'k', model: 'large' }],
    })
    return { ...small, large }
  }

  test('is not asked: the next one that reads it whole is, at once', async () => {
    const { complete, server, large, events } = await two({ 'any/small': 8_192, 'any/large': 200_000 })
    expect(await complete(conversation(100, prose(20_000)))).toMatchObject({ model: 'large' })
    expect(server.requests).toHaveLength(0)
    expect(large.requests).toHaveLength(1)
    expect(events).toMatchObject([
      { type: 'model-switch', from: 'small', to: 'large', failure: { errorType: 'window' } },
    ])
  })

  test('is asked if only earlier turns have to be cut for it', async () => {
    const { complete, server, large } = await two({ 'any/small': 8_192, 'any/large': 200_000 })
    expect(await complete(conversation(20_000))).toMatchObject({ model: 'small' })
    expect([server.requests.length, large.requests.length]).toEqual([1, 0])
  })

  test('is left after one refusal, not cut', async () => {
    const { complete, server, large } = await two({ 'any/large': 200_000 })
    expect(await complete(conversation(100, prose(20_000)))).toMatchObject({ model: 'large' })
    expect([server.requests.length, large.requests.length]).toEqual([1, 1])
  })

  test('is asked, with less, if all are', async () => {
    const { complete, server, large } = await two({ 'any/small': 8_192, 'any/large': 8_192 })
    const request = conversation(100, 'Read it.')
    request.messages.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'search', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c2', content: prose(20_000) },
    )
    expect(await complete(request)).toMatchObject({ model: 'small', cut: { ofThisTurn: 1 } })
    expect([server.requests.length, large.requests.length]).toEqual([1, 0])
  })
})

describe('what cannot fit', () => {
  const windows = new Map([['any/small', 8_192]])

  test('is not sent, and people are told why', async () => {
    const { fails, sizes } = await serve(refusing(8_192), { windows })
    const error = await fails(conversation(100, prose(20_000)))
    expect(sizes()).toEqual([])
    expect(error).toMatchObject({
      refused: false,
      tooLong: 'message',
      said: { code: 'context_too_long', values: { why: 'message' } },
      failure: { model: 'small', errorType: 'window', window: 8_192 },
    })
    expect(error.failure?.sent).toBeGreaterThan(20_000)
  })

  test('because of instructions or tools says who can change it', async () => {
    const { fails, sizes } = await serve(refusing(8_192), { windows })
    const { messages, tools } = conversation(10)
    const long: ChatMessage = { role: 'system', content: prose(9_000) }
    const error = await fails({ messages: [long, ...messages.slice(1)], tools })
    expect(sizes()).toEqual([])
    expect(error.tooLong).toBe('setup')
    expect(inEnglish(error.said)).toContain('set up with more than its language model can read')
  })

  test('by an unknown window is learned with one request', async () => {
    const { fails, sizes } = await serve(refusing(8_192))
    expect((await fails(conversation(100, prose(20_000)))).tooLong).toBe('message')
    expect((await fails(conversation(100, prose(20_000, 'Once more.')))).tooLong).toBe('message')
    expect(sizes()).toHaveLength(1)
  })

  test('is the next message’s to be cut', async () => {
    const { complete, fails, sizes } = await serve(refusing(8_192))
    const first = conversation(100, prose(20_000))
    await fails(first)
    const messages: ChatMessage[] = [
      ...first.messages,
      { role: 'assistant', content: 'This message is too long.' },
      { role: 'user', content: 'Then only the date.' },
    ]
    expect((await complete({ ...first, messages })).text).toBe('Fine.')
    expect(sizes()).toHaveLength(2)
  })
})
