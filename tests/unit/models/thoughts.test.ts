import { describe, expect, test } from 'vitest'
import { runAgent } from '../../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { chatRequestBody } from '../../../shared/engine/models/protocol/chat-request.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { runSettings } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

interface SentMessage {
  role: string
  reasoning_content?: string
  reasoning_details?: { id?: string | null; [name: string]: unknown }[]
  tool_calls?: { id: string; [name: string]: unknown }[]
}

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  effect: 'read',
  execute: async () => ({ ok: true, data: 'found' }),
})

/** Runs an agent whose model first calls tools with these deltas; returns its second request's assistant message. */
async function secondRequest(baseURL: string, model: string, deltas: object[], stream: boolean) {
  const requests: SentMessage[][] = []
  const answer = (choices: object) => JSON.stringify({ choices: [choices] })
  const client = createModelClient({
    baseURL,
    apiKey: 'sk-test-0123456789',
    model,
    fetch: async (_url, init) => {
      requests.push(JSON.parse(String(init?.body)).messages)
      const last = requests.length > 1
      if (last) return new Response(answer({ message: { content: 'Done.' }, finish_reason: 'stop' }))
      if (!stream) {
        const message = Object.assign({}, ...deltas)
        return new Response(answer({ message, finish_reason: 'tool_calls' }))
      }
      const chunks = [
        ...deltas.map((delta) => answer({ delta })),
        answer({ delta: {}, finish_reason: 'tool_calls' }),
      ]
      return new Response(`${chunks.map((chunk) => `data: ${chunk}\n\n`).join('')}data: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      })
    },
  })
  const response = await runAgent({
    ...runSettings({ tools: [search], model: client }),
    input: 'go',
    stream,
  })
  expect(response.status).toBe('completed')
  return requests[1]?.find(({ role }) => role === 'assistant')
}

const calls = ['one', 'two'].map((query, index) => ({
  index,
  id: `tool_search_${query}`,
  type: 'function',
  function: { name: 'search', arguments: JSON.stringify({ query }) },
}))

describe('thoughts that lead to a tool call come back to the servers that ask for them', () => {
  test('DeepSeek, streamed', async () => {
    const deltas = [{ reasoning_content: 'Let me ' }, { reasoning_content: 'look.' }, { tool_calls: calls }]
    const message = await secondRequest('https://api.deepseek.com/v1', 'deepseek-v4-flash', deltas, true)
    expect(message?.reasoning_content).toBe('Let me look.')
    expect(message?.tool_calls?.[0]).not.toHaveProperty('extra_content')
  })

  test('DeepSeek, plain', async () => {
    const deltas = [{ reasoning_content: 'Let me look.', tool_calls: calls }]
    const message = await secondRequest('https://api.deepseek.com', 'deepseek-v4-pro', deltas, false)
    expect(message?.reasoning_content).toBe('Let me look.')
  })

  test('another server does not get what only Gemini asks for', async () => {
    const signed = calls.map((call) => ({ ...call, extra_content: { google: { thought_signature: 's' } } }))
    const deltas = [{ tool_calls: signed }]
    const message = await secondRequest('https://api.openai.com/v1', 'gpt-4.1-mini', deltas, false)
    expect(message?.tool_calls).toHaveLength(2)
    for (const call of message?.tool_calls ?? []) expect(call).not.toHaveProperty('extra_content')
  })

  test('OpenRouter, with the ids that the calls have there', async () => {
    const signature = (id: string, data: string, index: number) => ({
      type: 'reasoning.encrypted',
      format: 'google-gemini-v1',
      id,
      data,
      index,
    })
    const unsigned = { type: 'reasoning.text', format: 'google-gemini-v1', text: 'Hm.', index: 0 }
    const deltas = [
      { reasoning_details: [unsigned] },
      { reasoning_details: [signature('tool_search_one', 'AB', 1)] },
      { reasoning_details: [signature('tool_search_one', 'CD', 1)] },
      { tool_calls: calls },
    ]
    const message = await secondRequest('https://openrouter.ai/api/v1', 'google/gemini-3-pro', deltas, true)
    expect(message?.reasoning_details).toEqual([signature(message?.tool_calls?.[0]?.id ?? '', 'ABCD', 1)])
  })

  test('OpenRouter, pieces of a signed thought', async () => {
    const piece = (more: object) => ({
      type: 'reasoning.text',
      format: 'anthropic-claude-v1',
      index: 0,
      ...more,
    })
    const deltas = [
      { reasoning_details: [piece({ text: 'Let ' })] },
      { reasoning_details: [piece({ text: 'me look.' })] },
      { reasoning_details: [piece({ signature: 'sig' })] },
      { tool_calls: calls },
    ]
    const message = await secondRequest(
      'https://openrouter.ai/api/v1',
      'anthropic/claude-sonnet-4.5',
      deltas,
      true,
    )
    expect(message?.reasoning_details).toEqual([piece({ id: null, text: 'Let me look.', signature: 'sig' })])
  })

  test('a server that nobody knows, what its model has sent', async () => {
    const deltas = [{ reasoning_content: 'Hm.', tool_calls: calls }]
    const message = await secondRequest('https://models.example/v1', 'deepseek-v4-flash', deltas, true)
    expect(message?.reasoning_content).toBe('Hm.')
    const signed = { type: 'reasoning.text', text: 'Hm.', signature: 'sig', index: 0 }
    const details = [{ reasoning: 'Hm.', reasoning_details: [signed], tool_calls: calls }]
    const other = await secondRequest('https://models.example/v1', 'claude', details, false)
    expect(other).not.toHaveProperty('reasoning_content')
    expect(other?.reasoning_details).toMatchObject([{ text: 'Hm.', signature: 'sig' }])
  })

  test.each(['https://api.openai.com/v1', 'https://api.groq.com/openai/v1', 'https://api.mistral.ai/v1'])(
    'not %s, which refuses them',
    async (url) => {
      const deltas = [{ reasoning_content: 'Hm.', tool_calls: calls }]
      const message = await secondRequest(url, 'm', deltas, true)
      expect(message).not.toHaveProperty('reasoning_content')
    },
  )

  test('nobody gets the thoughts of another model, or those of a text', async () => {
    const unsigned = [{ type: 'reasoning.text', text: 'Hm.' }]
    const deltas = [{ reasoning: 'Hm.', reasoning_details: unsigned, tool_calls: calls }]
    const message = await secondRequest('https://models.example/v1', 'm', deltas, true)
    expect(message).not.toHaveProperty('reasoning_content')
    expect(message).not.toHaveProperty('reasoning_details')
    const kept = { reasoning_content: 'Hm.', from: 'any other' }
    const call = { id: 'a', type: 'function' as const, function: { name: 'search', arguments: '{}' } }
    const history = [{ role: 'assistant' as const, tool_calls: [{ ...call, extra_content: kept }] }]
    const body = chatRequestBody({ provider: 'any', model: 'm' }, ask('', { messages: history }), {
      stream: false,
      names: undefined,
    })
    expect(body).not.toContain('Hm.')
  })

  test('a model that demands them gets a blank for those it never had, and one that refuses them none', async () => {
    for (const [said, expected] of [
      ['The `reasoning_content` in the thinking mode must be passed back to the API.', ' '],
      ['Unsupported parameter: reasoning_content', undefined],
    ] as const) {
      const bodies: { messages: SentMessage[] }[] = []
      const kept =
        expected === undefined ? { extra_content: { reasoning_content: 'Hm.', from: 'any m' } } : {}
      const client = createModelClient({
        baseURL: 'https://models.example/v1',
        apiKey: 'sk-test-0123456789',
        model: 'm',
        fetch: async (_url, init) => {
          const body = JSON.parse(String(init?.body))
          bodies.push(body)
          const has = body.messages[1].reasoning_content !== undefined
          if (has === (expected === undefined))
            return new Response(JSON.stringify({ error: { message: said } }), { status: 400 })
          return new Response(JSON.stringify({ choices: [{ message: { content: 'Done.' } }] }))
        },
      })
      const call = {
        id: 'a',
        type: 'function' as const,
        function: { name: 'search', arguments: '{}' },
        ...kept,
      }
      const messages = [
        { role: 'user' as const, content: 'go' },
        { role: 'assistant' as const, tool_calls: [call] },
        { role: 'tool' as const, tool_call_id: 'a', content: 'found' },
      ]
      for (const asked of [2, 3]) {
        expect((await client.complete(ask('', { messages }))).text).toBe('Done.')
        expect(bodies).toHaveLength(asked)
        expect(bodies.at(-1)?.messages[1]?.reasoning_content).toBe(expected)
      }
    }
  })
})

describe('ids that a template reads', () => {
  test('go back as the model gave them, and no two are the same', async () => {
    const own = ['functions.search:0', 'functions.search:1']
    const named = calls.map((call, index) => ({ ...call, id: own[index] }))
    const message = await secondRequest('https://models.example/v1', 'kimi-k2', [{ tool_calls: named }], true)
    expect(message?.tool_calls?.map(({ id }) => id)).toEqual(own)
    const same = calls.map((call) => ({ ...call, id: 'functions.search:0' }))
    const other = await secondRequest('https://models.example/v1', 'kimi-k2', [{ tool_calls: same }], true)
    expect(new Set(other?.tool_calls?.map(({ id }) => id)).size).toBe(2)
    const mistral = await secondRequest('https://api.mistral.ai/v1', 'm', [{ tool_calls: named }], true)
    for (const { id } of mistral?.tool_calls ?? []) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
  })
})

describe('a history of other models', () => {
  const messages = [
    { role: 'user' as const, content: 'go' },
    {
      role: 'assistant' as const,
      content: '',
      tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'search', arguments: '{}' } }],
    },
    { role: 'tool' as const, tool_call_id: 'a', content: 'found' },
    { role: 'assistant' as const, content: 'Done.' },
  ]
  const sent = (provider: 'deepseek' | 'openrouter', model: string): SentMessage[] =>
    JSON.parse(
      chatRequestBody({ provider, model }, ask('', { messages }), { stream: false, names: undefined }),
    ).messages

  test('DeepSeek gets a blank for thoughts that nobody had', () => {
    expect(sent('deepseek', 'deepseek-v4-flash').map((message) => message.reasoning_content)).toEqual([
      undefined,
      ' ',
      undefined,
      ' ',
    ])
  })

  test('Gemini behind OpenRouter gets the documented placeholder, other models nothing', () => {
    expect(sent('openrouter', 'google/gemini-3-pro')[1]?.reasoning_details).toMatchObject([
      { id: 'a', data: 'skip_thought_signature_validator' },
    ])
    expect(sent('openrouter', 'openai/gpt-4.1')).toEqual(messages)
  })
})
