import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseModel } from '../../../local/settings/model-choice.ts'

const url = 'http://127.0.0.1:54321'
/** Port 9 is the discard service, which nobody runs. */
const nobody = 'http://127.0.0.1:9/v1'

let server: Server | undefined
afterEach(() => server?.close())

async function startOllama(models: Record<string, string[]>): Promise<string> {
  server = createServer(async (request, response) => {
    if (request.url === '/api/tags') {
      return response.end(JSON.stringify({ models: Object.keys(models).map((name) => ({ name })) }))
    }
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(JSON.stringify({ capabilities: models[JSON.parse(body).model] }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe('chooseModel', () => {
  it('answers with the demo model when nothing is set and no Ollama runs', async () => {
    expect(await chooseModel({}, url, nobody)).toEqual({
      description: expect.stringMatching(/^demo/),
      settings: {
        LLM_PROVIDER: 'any',
        OPENAI_BASE_URL: `${url}/demo-model/v1`,
        OPENAI_API_KEY: 'demo',
        OPENAI_MODEL: 'demo',
        ASKBACK_DEMO_MODEL: 'true',
        ASKBACK_MODEL_WINDOWS: '{"any/demo":100000000}',
      },
    })
  })

  it.each([
    [{ LLM_PROVIDER: 'none' }, 'none'],
    [{ LLM_PROVIDER: 'mistral', MISTRAL_API_KEY: 'k' }, 'mistral'],
    [{ OPENAI_API_KEY: 'k' }, 'OPENAI_API_KEY'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, 'OPENAI_BASE_URL'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_API_KEY'],
    [{ GEMINI_API_KEY: 'k' }, 'GEMINI_API_KEY'],
    [{ OPENROUTER_API_KEY: 'k' }, 'OPENROUTER_API_KEY'],
  ])('leaves %j to the functions as it is', async (environment, word) => {
    const { description, settings } = await chooseModel(environment, url, nobody)
    expect(settings).toEqual({})
    expect(description).toContain(word)
    expect(description).not.toMatch(/\bk\b/)
  })

  it.each([
    [{ LLM_PROVIDER: 'openai' }, 'There is no API key for openai. Set OPENAI_API_KEY.'],
    [{ LLM_PROVIDER: 'foo' }, 'LLM_PROVIDER names an unknown provider: "foo".'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, 'Set OPENAI_MODEL'],
  ])('says what is missing in %j', async (environment, sentence) => {
    expect((await chooseModel(environment, url, nobody)).description).toContain(sentence)
  })

  it('takes the first model of a running Ollama that can call tools', async () => {
    const ollama = await startOllama({ 'embed:latest': ['embedding'], 'qwen3:4b': ['completion', 'tools'] })
    const { settings } = await chooseModel({}, url, ollama)
    expect(settings).toEqual({ LLM_PROVIDER: 'ollama', OLLAMA_MODEL: 'qwen3:4b' })
  })

  it('falls back to the demo model when Ollama has no model that can', async () => {
    const ollama = await startOllama({ 'embed:latest': ['embedding'] })
    expect((await chooseModel({}, url, ollama)).settings.OPENAI_MODEL).toBe('demo')
  })
})
