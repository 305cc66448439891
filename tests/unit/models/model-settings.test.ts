import { afterEach, describe, expect, test } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import {
  createModelFromSettings,
  type ModelPreference,
  type ModelSettings,
  nameModel,
} from '../../../shared/engine/models/model-settings.ts'
import { type ModelServer, say, startModelServer } from '../../../support/model-server.ts'
import { ask } from './fixtures.ts'

/** Which address, key and model a request would go to. */
async function destination(settings: ModelSettings, preference?: ModelPreference) {
  const sent: { url: string; key: string | null; body: Record<string, unknown> }[] = []
  const model = createModelFromSettings(settings, preference, {
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      sent.push({ url: String(url), key: headers.get('authorization'), body: JSON.parse(String(init?.body)) })
      return Response.json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })
    },
  })
  await model.complete(ask())
  const [{ url, key, body } = { url: '', key: null, body: {} }] = sent
  return { url: url.replace('/chat/completions', ''), key, model: body.model, body }
}

function refusal(settings: ModelSettings, preference?: ModelPreference): string {
  try {
    createModelFromSettings(settings, preference)
  } catch (error) {
    expect(error).toBeInstanceOf(AgentError)
    expect((error as AgentError).kind).toBe('configuration')
    return (error as AgentError).message
  }
  throw new Error('it was accepted')
}

describe('which model is asked', () => {
  test.each<[ModelSettings, string, string | null, string]>([
    [{ OPENAI_API_KEY: 'sk' }, 'https://api.openai.com/v1', 'Bearer sk', 'gpt-4.1-mini'],
    [{ OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'gpt-4o' }, 'https://api.openai.com/v1', 'Bearer sk', 'gpt-4o'],
    [{ ANTHROPIC_API_KEY: 'a' }, 'https://api.anthropic.com/v1', 'Bearer a', 'claude-sonnet-4-5'],
    [
      { GEMINI_API_KEY: 'g' },
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'Bearer g',
      'gemini-2.5-flash',
    ],
    [{ OPENROUTER_API_KEY: 'o' }, 'https://openrouter.ai/api/v1', 'Bearer o', 'openai/gpt-4.1-mini'],
    [
      { OPENAI_API_KEY: ' ', ANTHROPIC_API_KEY: 'a' },
      'https://api.anthropic.com/v1',
      'Bearer a',
      'claude-sonnet-4-5',
    ],
    [
      { OPENAI_API_KEY: 'sk', GEMINI_API_KEY: 'g', LLM_PROVIDER: 'Gemini' },
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'Bearer g',
      'gemini-2.5-flash',
    ],
    [
      { LLM_PROVIDER: 'gemini', GEMINI_API_KEY: 'g', OPENAI_MODEL: 'gemini-2.5-pro' },
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'Bearer g',
      'gemini-2.5-pro',
    ],
    [
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'local' },
      'http://127.0.0.1:9/v1',
      null,
      'local',
    ],
    [
      {
        LLM_PROVIDER: 'openai',
        OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
        OPENAI_API_KEY: 'demo',
        OPENAI_MODEL: 'demo',
      },
      'http://127.0.0.1:9/v1',
      'Bearer demo',
      'demo',
    ],
    [{ LLM_PROVIDER: 'ollama', OPENAI_MODEL: 'qwen3' }, 'http://127.0.0.1:11434/v1', null, 'qwen3'],
    [
      { LLM_PROVIDER: 'ollama', OLLAMA_BASE_URL: 'http://gpu:11434/v1', OLLAMA_MODEL: 'qwen3' },
      'http://gpu:11434/v1',
      null,
      'qwen3',
    ],
    [
      {
        LLM_PROVIDER: 'vllm',
        OPENAI_BASE_URL: 'http://127.0.0.1:8001/v1',
        OPENAI_API_KEY: 'v',
        OPENAI_MODEL: 'm',
      },
      'http://127.0.0.1:8001/v1',
      'Bearer v',
      'm',
    ],
  ])('%j', async (settings, url, key, model) => {
    expect(await destination(settings)).toMatchObject({ url, key, model })
  })

  test("the agent's preference wins, and what it leaves open comes from the settings", async () => {
    const settings = { OPENAI_API_KEY: 'sk', ANTHROPIC_API_KEY: 'a', OPENAI_MODEL: 'gpt-4o' }
    expect(await destination(settings, { provider: 'anthropic' })).toMatchObject({
      key: 'Bearer a',
      model: 'claude-sonnet-4-5',
    })
    expect(await destination(settings, { model: 'gpt-4.1' })).toMatchObject({
      key: 'Bearer sk',
      model: 'gpt-4.1',
    })
    expect(await destination(settings, { provider: null, model: null })).toMatchObject({ model: 'gpt-4o' })
  })

  test('a key goes to its own provider only', async () => {
    const settings = {
      OPENAI_API_KEY: 'sk',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_MODEL: 'm',
      ANTHROPIC_API_KEY: 'a',
    }
    expect(await destination(settings, { provider: 'anthropic' })).toMatchObject({
      url: 'https://api.anthropic.com/v1',
      key: 'Bearer a',
    })
    const ollama = { ...settings, OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1' }
    expect(await destination(ollama, { provider: 'ollama', model: 'x' })).toMatchObject({
      url: 'http://127.0.0.1:11434/v1',
      key: null,
    })
  })

  test('a server of one’s own is not held to the rules of OpenAI', async () => {
    const { body } = await destination({ LLM_PROVIDER: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })
    expect(body).not.toHaveProperty('parallel_tool_calls')
  })

  test('a server without a key is asked where it was set up, not because a preference names it', async () => {
    for (const [provider, port, variable] of [
      ['ollama', 11434, 'OLLAMA_BASE_URL'],
      ['vllm', 8000, 'VLLM_BASE_URL'],
    ] as const) {
      const preference = { provider, model: 'x' }
      expect(refusal({ OPENAI_API_KEY: 'sk' }, preference)).toContain(variable)
      expect(nameModel({ OPENAI_API_KEY: 'sk' }, preference)).toBe(undefined)
      const there = { OPENAI_API_KEY: 'sk', [variable]: 'http://gpu:1/v1' }
      expect(await destination(there, preference)).toMatchObject({ url: 'http://gpu:1/v1', model: 'x' })
      expect((await destination({ LLM_PROVIDER: provider }, preference)).url).toContain(String(port))
      const other = { ...preference, model: 'y' }
      const { url } = await destination({ OPENAI_API_KEY: 'sk' }, { fallbacks: [other] })
      expect(url).toBe('https://api.openai.com/v1')
    }
  })

  test('no parameter of a preference makes an answer longer, or several, or another model’s', async () => {
    const parameters = {
      max_tokens: 1e9,
      max_completion_tokens: 1e9,
      max_output_tokens: 1e9,
      n: 50,
      best_of: 50,
      model: 'dear',
      models: ['dear'],
      reasoning_effort: 'low',
    }
    const { body } = await destination({ OPENAI_API_KEY: 'sk' }, { parameters })
    expect(body).toMatchObject({ model: 'gpt-4.1-mini', reasoning_effort: 'low' })
    for (const name of ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'best_of', 'models'])
      expect(body).not.toHaveProperty(name)
  })

  test('sampling and more parameters are handed on', async () => {
    const preference = {
      temperature: 0,
      retryTemperature: 0.9,
      maxOutputTokens: 500,
      parameters: { reasoning_effort: 'low' },
    }
    expect(createModelFromSettings({ OPENAI_API_KEY: 'sk' }, preference).sampling).toEqual({
      temperature: 0,
      retryTemperature: 0.9,
      maxOutputTokens: 500,
    })
    expect((await destination({ OPENAI_API_KEY: 'sk' }, preference)).body).toMatchObject({
      reasoning_effort: 'low',
    })
    expect(createModelFromSettings({ OPENAI_API_KEY: 'sk' }).sampling).toBeUndefined()
  })
})

describe('fallbacks', () => {
  const servers: ModelServer[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  test('a main model without a key is passed over, and the event says why', async () => {
    const server = await startModelServer([say('From the fallback.')])
    servers.push(server)
    const model = createModelFromSettings(
      { OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'local' },
      { provider: 'anthropic', fallbacks: [{ provider: 'any', model: 'local' }] },
    )
    const reasons: string[] = []
    const reply = await model.complete(ask(), {
      onEvent: (event) => event.type === 'model-switch' && reasons.push(event.reason),
    })
    expect(reply.text).toBe('From the fallback.')
    expect(reasons).toEqual(['There is no API key for anthropic. Set ANTHROPIC_API_KEY.'])
  })

  test('names and rows are both understood', () => {
    const model = createModelFromSettings(
      { OPENAI_API_KEY: 'sk', GROQ_API_KEY: 'g' },
      {
        model: 'gpt-4.1',
        fallbacks: ['gpt-4o', { provider: 'groq', model: 'llama-3.3-70b-versatile' }, { model: 'o3' }],
      },
    )
    expect(model.models).toEqual(['gpt-4.1', 'gpt-4o', 'llama-3.3-70b-versatile', 'o3'])
  })
})

describe('what to set is said', () => {
  test.each<[ModelSettings, ModelPreference | undefined, string]>([
    [{ LLM_PROVIDER: 'none', OPENAI_API_KEY: 'sk' }, undefined, 'LLM_PROVIDER is "none"'],
    [{}, undefined, 'Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY'],
    [{ LLM_PROVIDER: 'openai' }, undefined, 'no API key for openai. Set OPENAI_API_KEY.'],
    [{ OPENAI_API_KEY: 'sk' }, { provider: 'mistral' }, 'no API key for mistral. Set MISTRAL_API_KEY.'],
    [
      { LLM_PROVIDER: 'chatgpt' },
      undefined,
      'LLM_PROVIDER names an unknown provider: "chatgpt". Known are openai,',
    ],
    [
      { OPENAI_API_KEY: 'sk' },
      { provider: 'x' },
      'the preference of the agent names an unknown provider: "x"',
    ],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, undefined, 'Set OPENAI_MODEL'],
    [{ LLM_PROVIDER: 'ollama' }, undefined, 'Set OLLAMA_MODEL'],
    [{ LLM_PROVIDER: 'any', OPENAI_MODEL: 'm' }, undefined, 'Set OPENAI_BASE_URL'],
    [
      { LLM_PROVIDER: 'any', OPENAI_MODEL: 'm', OPENAI_BASE_URL: 'localhost' },
      undefined,
      'is not an http URL: "localhost"',
    ],
  ])('%j %j', (settings, preference, sentence) => {
    expect(refusal(settings, preference)).toContain(sentence)
  })
})
