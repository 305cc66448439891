import { describe, expect, test } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import {
  createModelFromSettings,
  type ModelPreference,
} from '../../../shared/engine/models/model-settings.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { openModelKeys } from '../../../shared/server/model-keys/open-model-keys.ts'
import { type OwnModelKey, withOwnKeys } from '../../../shared/server/model-keys/own-model-keys.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'
import { explainOwnKeyErrors, ownKeyUnused } from '../../../supabase/functions/chat/turn/own-key-refused.ts'

/** Where a request of this run goes, and with which key. */
async function asked(
  settings: Record<string, string>,
  keys: OwnModelKey[],
  preference: ModelPreference | null = null,
) {
  const seen: string[] = []
  const model = createModelFromSettings(withOwnKeys(settings, preference, keys), preference, {
    fetch: async (input, init) => {
      seen.push(`${new URL(String(input)).host} ${new Headers(init?.headers).get('authorization')?.slice(7)}`)
      return Response.json({ error: { message: 'no' } }, { status: 400 })
    },
  })
  await model.complete({ messages: [{ role: 'user', content: 'Hi' }], tools: [] }).catch(() => {})
  return `${seen[0]} ${model.model}`
}

const openai = { provider: 'openai', name: 'OpenAI', apiKey: 'own-openai', connectionId: 'c1' }
const anthropic = { provider: 'anthropic', name: 'Anthropic', apiKey: 'own-anthropic', connectionId: 'c2' }

describe('a user’s own key', () => {
  test('goes before the server’s of the same provider', async () => {
    expect(await asked({ OPENAI_API_KEY: 'server' }, [openai])).toBe('api.openai.com own-openai gpt-4.1-mini')
    expect(await asked({ OPENAI_API_KEY: 'server', OPENAI_MODEL: 'gpt-5' }, [openai])).toBe(
      'api.openai.com own-openai gpt-5',
    )
  })

  test('chooses the provider where the agent prefers none, the first one of several', async () => {
    const server = { OPENAI_API_KEY: 'server', OPENAI_MODEL: 'gpt-5' }
    expect(await asked(server, [anthropic, openai])).toBe('api.anthropic.com own-anthropic claude-sonnet-4-5')
    expect(await asked(server, [openai, anthropic])).toBe('api.openai.com own-openai gpt-5')
    expect(await asked({}, [anthropic])).toBe('api.anthropic.com own-anthropic claude-sonnet-4-5')
  })

  test('is used for the provider that the agent prefers, and leaves the others to the server', async () => {
    const server = { OPENAI_API_KEY: 'server', GEMINI_API_KEY: 'server-gemini' }
    const preferring = (provider: string) => asked(server, [openai, anthropic], { provider })
    expect(await preferring('anthropic')).toContain('own-anthropic')
    expect(await preferring('openai')).toContain('own-openai')
    expect(await preferring('gemini')).toContain('server-gemini')
    expect(await asked(server, [anthropic], { model: 'gpt-5' })).toBe('api.openai.com server gpt-5')
  })

  test('of OpenAI never goes to another server', async () => {
    const other = {
      LLM_PROVIDER: 'any',
      OPENAI_BASE_URL: 'https://other.example/v1',
      OPENAI_API_KEY: 'server',
      OPENAI_MODEL: 'local',
    }
    expect(await asked(other, [openai])).toBe('api.openai.com own-openai gpt-4.1-mini')
    expect(await asked(other, [openai], { provider: 'openai' })).toBe(
      'api.openai.com own-openai gpt-4.1-mini',
    )
    expect(await asked(other, [openai], { model: 'local-2' })).toBe('other.example server local-2')
    expect(await asked(other, [anthropic, openai])).toContain('api.anthropic.com own-anthropic')
    expect(await asked(other, [])).toBe('other.example server local')
  })

  test('that cannot be opened is left out', async () => {
    const setting = `a:${btoa('k'.repeat(32))}`
    const owner = { connectionId: crypto.randomUUID(), userId: crypto.randomUUID(), provider: 'openai' }
    const secret = { field: 'api_key', value: 'own-openai', version: 1 }
    const sealed = await sealSecret(await readKeyring(setting), owner, secret)
    const stored = { id: owner.connectionId, provider: 'openai', name: 'OpenAI', secrets: [sealed] }
    expect(await openModelKeys([stored], owner.userId, setting)).toEqual([
      { ...openai, connectionId: stored.id },
    ])
    expect(await openModelKeys([stored], crypto.randomUUID(), setting)).toEqual([])
    expect(await openModelKeys([stored], owner.userId, undefined)).toEqual([])
  })

  test('is named where its provider cannot be reached or refuses, with where to change it', async () => {
    const answers: [fetch: typeof fetch, status: number, words: RegExp][] = [
      [
        async () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
        503,
        /OpenAI cannot be reached\. Try again/,
      ],
      [
        async () => Response.json({ error: { code: 'insufficient_quota' } }, { status: 429 }),
        502,
        /OpenAI did not accept it: .* no credit left/,
      ],
    ]
    for (const [fetch, status, words] of answers) {
      const model = createModelFromSettings(withOwnKeys({}, null, [openai]), null, { fetch })
      const request = { messages: [{ role: 'user' as const, content: 'Hi' }], tools: [] }
      const failure = await explainOwnKeyErrors(model, openai)
        .complete(request)
        .catch((error) => error)
      expect(inEnglish(failure.said)).toMatch(words)
      expect(inEnglish(failure.said)).toMatch(
        /^Your own API key for OpenAI is used here.* in the integration settings\.$/,
      )
      const refusal = ownKeyUnused(new AgentError('llm_api', failure.message, { cause: failure }))
      expect([refusal?.status, refusal?.message]).toEqual([status, inEnglish(failure.said)])
      const servers = await explainOwnKeyErrors(model, undefined)
        .complete(request)
        .catch((error) => error)
      expect(inEnglish(servers.said)).not.toContain('OpenAI')
    }
  })
})
