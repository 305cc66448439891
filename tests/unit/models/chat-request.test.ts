import { describe, expect, test } from 'vitest'
import { type ChatTarget, chatRequestBody } from '../../../shared/engine/models/protocol/chat-request.ts'
import type { ChatMessage, ModelRequest } from '../../../shared/engine/models/protocol/model-client.ts'
import { findProvider, presets } from '../../../shared/engine/models/protocol/presets.ts'
import { shortenId } from '../../../shared/engine/models/protocol/wire-messages.ts'
import { wireNames } from '../../../shared/engine/models/protocol/wire-names.ts'
import { ask, search, sendEmail } from './fixtures.ts'

function body(target: Partial<ChatTarget>, request: Partial<ModelRequest> = {}, stream = false) {
  const full = { provider: 'any', model: 'm', ...target } as ChatTarget
  const whole = ask('Hello', request)
  return JSON.parse(chatRequestBody(full, whole, { stream, names: wireNames(whole.tools) }))
}

describe('parameters', () => {
  test('a plain request to any server has nothing a server might refuse', () => {
    expect(body({}, { maxOutputTokens: 50 })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 0.5,
      max_tokens: 50,
      tools: [search, sendEmail].map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    })
  })

  test.each([
    'o1',
    'o3-mini',
    'o4-mini',
    'gpt-5',
    'gpt-5-mini',
    'openai/gpt-5.2',
    'claude-opus-4-7',
    'claude-sonnet-5',
    'ft:o4-mini-2025-04-16:acme::abc123',
    'gpt-5.6-terra',
    'google/gemini-3-pro-preview',
  ])('no temperature for the reasoning model %s', (model) => {
    for (const provider of ['any', 'openai', 'openrouter'] as const) {
      expect(body({ provider, model })).not.toHaveProperty('temperature')
    }
  })

  test.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-5-chat-latest',
    'claude-sonnet-4-5',
    'gemini-2.5-flash',
    'llama3.2',
    'qwen3:8b',
    'olmo-2',
  ])('a temperature for %s', (model) => {
    expect(body({ model }).temperature).toBe(0.5)
  })

  test('the name of the limit, parallel calls and usage as each provider takes them', () => {
    const seen = Object.keys(presets).map((provider) => {
      const sent = body({ provider: provider as ChatTarget['provider'] }, { maxOutputTokens: 9 }, true)
      const limit = 'max_tokens' in sent ? 'max_tokens' : 'max_completion_tokens'
      return [provider, limit, sent.parallel_tool_calls === true, 'stream_options' in sent]
    })
    expect(seen).toEqual([
      ['openai', 'max_completion_tokens', true, true],
      ['anthropic', 'max_completion_tokens', true, true],
      ['gemini', 'max_tokens', false, true],
      ['openrouter', 'max_tokens', true, true],
      ['groq', 'max_completion_tokens', true, true],
      ['mistral', 'max_tokens', true, false],
      ['deepseek', 'max_tokens', false, true],
      ['moonshot', 'max_tokens', false, true],
      ['ollama', 'max_tokens', false, true],
      ['vllm', 'max_tokens', true, true],
      ['any', 'max_tokens', false, true],
    ])
    expect(body({ provider: 'openai', model: 'o3' })).not.toHaveProperty('parallel_tool_calls')
    expect(body({ model: 'o3' }, { maxOutputTokens: 9 })).toHaveProperty('max_completion_tokens', 9)
  })

  test('text only: tools stay with tool_choice none, or go where that is ignored', () => {
    expect(body({}, { toolChoice: 'none' })).toMatchObject({ tool_choice: 'none', tools: [{}, {}] })
    expect(body({ provider: 'ollama' }, { toolChoice: 'none' })).not.toHaveProperty('tools')
    expect(body({}, { tools: [] })).not.toHaveProperty('tools')
    expect(body({}, { tools: [], toolChoice: 'none' })).not.toHaveProperty('tool_choice')
  })

  test('OpenAI takes tools for gpt-5.6 only with reasoning switched off', () => {
    const effort = { parameters: { reasoning_effort: 'high' } }
    const openai = { provider: 'openai', model: 'gpt-5.6' } as const
    expect(body({ ...openai, ...effort }).reasoning_effort).toBe('none')
    expect(body({ ...openai, ...effort }, { tools: [] }).reasoning_effort).toBe('high')
    expect(body({ provider: 'openrouter', model: 'openai/gpt-5.6', ...effort }).reasoning_effort).toBe('high')
    expect(body({ provider: 'openai', model: 'gpt-5' })).not.toHaveProperty('reasoning_effort')
  })

  test('more members never replace ours', () => {
    const sent = body({ parameters: { reasoning_effort: 'low', model: 'other', temperature: 2 } })
    expect(sent).toMatchObject({ reasoning_effort: 'low', model: 'm', temperature: 0.5 })
  })

  test('a provider is known by the host of its address', () => {
    for (const [name, preset] of Object.entries(presets)) {
      if ('baseURL' in preset && !('keyless' in preset)) expect(findProvider(preset.baseURL)).toBe(name)
    }
    expect(findProvider('https://api.openai.com.evil.example/v1')).toBe('any')
    expect(findProvider('nonsense')).toBe('any')
  })
})

describe('tools', () => {
  test('our own keywords are not sent, a parameter of that name is', () => {
    const tool = {
      ...search,
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          source: {
            type: 'string',
            question: 'From where?',
            hint: 'A city.',
            unfit: 'I know no such city.',
            source: 'conversation' as const,
          },
          hint: {
            type: 'array',
            items: { type: 'string', aliases: ['h'] },
            examples: [['hint']],
            description: 'Hints.',
          },
        },
      },
    }
    expect(body({}, { tools: [tool] }).tools[0].function.parameters).toEqual({
      type: 'object',
      properties: {
        source: { type: 'string', description: 'A city.' },
        hint: { type: 'array', items: { type: 'string' }, examples: [['hint']], description: 'Hints.' },
      },
    })
  })

  test('a schema without a type is still an object, a name no server takes is rewritten', () => {
    const [tool] = body({}, { tools: [{ ...search, name: 'docs.search/v2', parameters: {} }] }).tools
    expect(tool.function).toMatchObject({
      name: 'docs_search_v2',
      parameters: { type: 'object', properties: {} },
    })
  })
})

describe('messages', () => {
  const call = (id: string, args: string, more: object = {}) => ({
    id,
    type: 'function' as const,
    function: { name: 'search', arguments: args },
    ...more,
  })
  const history = (...calls: ReturnType<typeof call>[]): ChatMessage[] => [
    { role: 'user', content: 'Search.' },
    { role: 'assistant', content: '', tool_calls: calls },
    ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '{}' })),
    { role: 'user', content: 'And?' },
  ]

  test('a good history is sent as it is', () => {
    const messages = history(call('a', '{"query":"x"}'))
    for (const provider of ['any', 'openai', 'ollama', 'vllm'] as const) {
      expect(body({ provider }, { messages }).messages).toEqual(messages)
    }
  })

  test('calls without words have an empty content, for Claude none', () => {
    for (const content of [null, '', undefined]) {
      const messages: ChatMessage[] = history(call('a', '{}')).map((message) =>
        message.role === 'assistant' ? { ...message, content } : message,
      )
      const sent = (target: object) => body(target, { messages }).messages[1].content
      expect(sent({ provider: 'any' })).toBe('')
      expect(sent({ provider: 'openai' })).toBe('')
      expect(sent({ provider: 'anthropic' })).toBeNull()
      expect(sent({ provider: 'openrouter', model: 'anthropic/claude-sonnet-4.5' })).toBeNull()
    }
  })

  test('arguments that are no JSON object would end every later turn: they are sent as {}', () => {
    for (const broken of ['{"query": ', '', '[]', '"text"', 'null']) {
      const messages = history(call('a', broken))
      expect(body({}, { messages }).messages[1].tool_calls[0].function.arguments).toBe('{}')
      expect(messages).toEqual(history(call('a', broken)))
    }
  })

  test('a tool name that the model made up is sent in letters that servers take', () => {
    const messages = history({
      ...call('a', '{}'),
      function: { name: 'multi_tool_use.parallel', arguments: '{}' },
    })
    expect(body({}, { messages }).messages[1].tool_calls[0].function.name).toBe('multi_tool_use_parallel')
  })

  test('extra content goes back to Gemini only; without any, Gemini gets its placeholder', () => {
    const messages = history(
      call('a', '{}', { extra_content: { google: { thought_signature: 's' } } }),
      call('b', '{}'),
    )
    const [first, second] = body({ provider: 'gemini' }, { messages }).messages[1].tool_calls
    expect(first.extra_content).toEqual({ google: { thought_signature: 's' } })
    expect(second).not.toHaveProperty('extra_content')
    const ofOthers = history(call('a', '{}'), call('b', '{}'))
    const [unsigned, next] = body({ provider: 'gemini' }, { messages: ofOthers }).messages[1].tool_calls
    expect(unsigned.extra_content).toEqual({
      google: { thought_signature: 'skip_thought_signature_validator' },
    })
    expect(next).not.toHaveProperty('extra_content')
    const gateway = { provider: 'any', model: 'google/gemini-3-pro' } as const
    expect(body(gateway, { messages }).messages[1].tool_calls[0].extra_content).toEqual(first.extra_content)
    for (const sent of body({ provider: 'openai' }, { messages }).messages[1].tool_calls) {
      expect(sent).not.toHaveProperty('extra_content')
    }
  })

  test('Mistral gets ids of nine characters and an assistant message between tool and user', () => {
    const messages = history(call('call_0b6c8a52-3d3e', '{}'))
    const sent = body({ provider: 'mistral' }, { messages }).messages
    expect(sent.map(({ role }: ChatMessage) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    const [id] = sent[1].tool_calls.map((wired: { id: string }) => wired.id)
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(sent[2].tool_call_id).toBe(id)
    expect(sent[3].content).not.toBe('')
  })

  test('an id that is too long or has other letters is replaced in the call and in its result', () => {
    const ids = ['x'.repeat(41), 'functions.search:0']
    const sent = body(
      { provider: 'openai' },
      { messages: history(...ids.map((id) => call(id, '{}'))) },
    ).messages
    const wired = sent[1].tool_calls.map(({ id }: { id: string }) => id)
    expect(wired).toEqual([sent[2].tool_call_id, sent[3].tool_call_id])
    expect(new Set(wired).size).toBe(2)
    for (const id of wired) expect(id).toMatch(/^[\w-]{1,40}$/)
  })

  test('an assistant that said nothing is left out', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'Are you there?' },
    ]
    expect(body({}, { messages }).messages).toEqual([messages[0], messages[2]])
  })

  test('a thousand ids keep apart in nine characters', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => shortenId(`call_${index}`))
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true)
  })
})
