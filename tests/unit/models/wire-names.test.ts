import { describe, expect, test } from 'vitest'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { chatRequestBody } from '../../../shared/engine/models/protocol/chat-request.ts'
import type { ModelEvent } from '../../../shared/engine/models/protocol/model-client.ts'
import { ownNames, wireNames } from '../../../shared/engine/models/protocol/wire-names.ts'
import { ask, search } from './fixtures.ts'

const odd = [
  'docs.search',
  'docs_search',
  'docs/search',
  '検索',
  '送信',
  `${'a'.repeat(70)}_read`,
  `${'a'.repeat(70)}_send`,
  '2fa_code',
  '-dash',
]

test('every server takes every name, and no two tools share one', () => {
  const names = wireNames(odd.map((name) => ({ name })))
  const sent = odd.map((name) => names?.get(name) ?? name)
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
  expect(new Set(sent).size).toBe(odd.length)
  expect(sent[1]).toBe('docs_search')
  expect(sent.map((name) => ownNames(names)?.get(name) ?? name)).toEqual(odd)
})

test('plain names need no table', () => {
  expect(wireNames([{ name: 'gmail_send_email' }, { name: 'list-labels' }])).toBeUndefined()
})

describe('a renamed tool', () => {
  const tools = odd.map((name) => ({ ...search, name }))

  test('has the same name in the tools and in the history', () => {
    const messages = tools.map(({ name }, index) => ({
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function' as const, function: { name, arguments: '{}' } }],
    }))
    const body = JSON.parse(
      chatRequestBody({ provider: 'openai', model: 'm' }, ask('', { tools, messages }), {
        stream: false,
        names: wireNames(tools),
      }),
    )
    const offered = body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    const called = body.messages.map(
      (message: { tool_calls: { function: { name: string } }[] }) => message.tool_calls[0]?.function.name,
    )
    expect(called).toEqual(offered)
  })

  test('is called by its own name in events and in the reply', async () => {
    const events: ModelEvent[] = []
    const model = createModelClient({
      baseURL: 'https://models.example/v1',
      model: 'm',
      fetch: async (_url, init) => {
        const { name } = JSON.parse(String(init?.body)).tools[2].function
        const call = { index: 0, id: 'a', type: 'function', function: { name, arguments: '{"query":"x"}' } }
        const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }
        return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
          headers: { 'content-type': 'text/event-stream' },
        })
      },
    })
    const reply = await model.complete(ask('', { tools }), {
      stream: true,
      onEvent: (event) => events.push(event),
    })
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(['docs/search'])
    expect(events[0]).toEqual({ type: 'tool-input-start', index: 0, toolName: 'docs/search' })
  })
})
