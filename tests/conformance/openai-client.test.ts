import OpenAI, { APIConnectionError, APIError, AuthenticationError, RateLimitError } from 'openai'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { afterEach, describe, expect, test } from 'vitest'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import {
  callTool,
  callTools,
  fail,
  type ModelScript,
  type ModelServer,
  say,
  startModelServer,
} from '../../support/model-server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(script: ModelScript, apiKey?: string) {
  const server = await startModelServer(script, apiKey === undefined ? {} : { apiKey })
  servers.push(server)
  const client = new OpenAI({ baseURL: server.url, apiKey: 'sk-test', maxRetries: 0 })
  return { server, client }
}

const messages = [{ role: 'user' as const, content: 'Hello' }]
const model = 'scripted-model'

describe('the unmodified openai client and the scripted server', () => {
  test('a plain completion', async () => {
    const { client, server } = await start([say('Hi.')])
    const completion = await client.chat.completions.create({ model, messages })
    expect(completion.choices[0]?.message.content).toBe('Hi.')
    expect(completion.usage?.total_tokens).toBe(30)
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test')
  })

  test('a plain tool call', async () => {
    const { client } = await start([callTool('search', { query: 'deno' })])
    const completion = await client.chat.completions.create({ model, messages })
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls')
    expect(completion.choices[0]?.message.tool_calls?.[0]).toEqual({
      id: 'call_1',
      type: 'function',
      function: { name: 'search', arguments: '{"query":"deno"}' },
    })
  })

  test('its stream helper assembles text, interleaved calls and usage', async () => {
    const { client } = await start([
      callTools(
        [
          ['search', { query: 'one' }],
          ['search', { query: 'two' }],
        ],
        { fragments: { size: 4, interleave: true } },
      ),
      say('All done.', { fragments: { size: 2 } }),
    ])
    const options = { model, messages, stream_options: { include_usage: true } }
    const first = await client.chat.completions.stream(options).finalChatCompletion()
    const calls = first.choices[0]?.message.tool_calls ?? []
    expect(calls.map((call) => (call.type === 'function' ? call.function.arguments : ''))).toEqual([
      '{"query":"one"}',
      '{"query":"two"}',
    ])
    const second = await client.chat.completions.stream(options).finalChatCompletion()
    expect(second.choices[0]?.message.content).toBe('All done.')
    expect(second.usage?.total_tokens).toBe(30)
  })

  test('errors arrive as its own classes', async () => {
    const { client } = await start([
      fail(429, { headers: { 'retry-after': '7' }, errorMessage: 'Slow down.' }),
      say('x', { cut: 'before-headers' }),
      say('Some text', { errorInStream: { message: 'Overloaded' } }),
    ])
    const error = await client.chat.completions.create({ model, messages }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).headers?.get('retry-after')).toBe('7')
    await expect(client.chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      APIConnectionError,
    )
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toBeInstanceOf(APIError)
  })

  test('a wrong key, and the list of models', async () => {
    const { client } = await start([], 'another')
    await expect(client.chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      AuthenticationError,
    )
    const { client: open } = await start([])
    expect((await open.models.list()).data.map(({ id }) => id)).toEqual([model])
  })
})

describe('our client and the openai client', () => {
  const tool = {
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    effect: 'read' as const,
  }

  test('send the same body and hear the same answer', async () => {
    const parameters: ChatCompletionCreateParams = {
      model,
      messages,
      temperature: 0.5,
      max_tokens: 64,
      tools: [
        {
          type: 'function',
          function: { name: tool.name, description: tool.description, parameters: tool.parameters },
        },
      ],
    }
    for (const stream of [false, true]) {
      const { client, server } = await start([
        callTool('search', { query: 'a' }),
        callTool('search', { query: 'a' }),
      ])
      if (stream) {
        await client.chat.completions
          .stream({ ...parameters, stream: true, stream_options: { include_usage: true } })
          .done()
      } else await client.chat.completions.create(parameters)
      const ours = createModelClient({ baseURL: server.url, apiKey: 'sk-test', model })
      const reply = await ours.complete(
        { messages, tools: [tool], temperature: 0.5, maxOutputTokens: 64 },
        { stream },
      )
      expect(reply.toolCalls).toEqual([{ id: 'call_2', name: 'search', rawArguments: '{"query":"a"}' }])
      expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
      expect(server.requests[1]?.path).toBe(server.requests[0]?.path)
      for (const header of ['authorization', 'content-type']) {
        expect(server.requests[1]?.headers[header]).toBe(server.requests[0]?.headers[header])
      }
    }
  })
})
