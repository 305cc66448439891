/**
 * Tries any integration against everything that a provider can do wrong. A test of an integration is
 *
 *     const provider = await startScriptedProvider({ '/v1/search': { results: [] } })   // its good answers, by path
 *     describeIntegration({
 *       integration, createActions, provider,
 *       env: { SERPER_API_BASE_URL: provider.url },
 *       connection: { provider: 'serper', values: { api_key: 'sk-planted-in-the-test' } },
 *       cases: [{ action: 'web_search', params: { query: 'Oslo' }, path: '/v1/search' }],
 *     })
 *
 * and what is the integration's own. Each case is a call that works; `path` is the request that can go wrong (for a write
 * the one that has the effect). Tried with each: outage, no answer, bad key, forbidden, not found, 429 with Retry-After,
 * 500, 503, pages of a proxy, broken JSON, a cut and a lost answer, unknown actions, wrong and missing arguments; with a
 * write that nothing is done twice, whatever is delivered again. Asserted of each failure: its type and who resolves it,
 * that the user's secrets are in no answer and in no log, and that the sentence names no HTTP status, page, path or stack.
 *
 * Where a provider's own table says more than its status (`endings`), or it does not speak HTTP (`provider` is then
 * anything that can play the faults in `faults`), the case says so. It runs under Deno: `node:test`, no platform else.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolError } from '../shared/engine/core/tool-error.ts'
import { type Integration, secretFields } from '../shared/integrations/definition/integration.ts'
import type { Environment } from '../shared/server/authentication/project-settings.ts'
import type { Implementation } from '../shared/server/integration-function/integration-action.ts'
import { createIntegrationApp } from '../shared/server/integration-function/integration-app.ts'
import { readOAuthServers } from '../shared/server/oauth/oauth-server.ts'
import { createIntegrationDatabase } from './integration-database.ts'
import { type Ending, type FaultName, faults, usualFaults } from './integration-faults.ts'
import type { ScriptedProvider } from './scripted-provider.ts'

export interface IntegrationCase {
  /** Of a tool of the integration. */
  action: string
  /** Arguments of a call that works. */
  params: Record<string, unknown>
  /** Beginning of the path of the request that goes wrong. */
  path: string
  /** Where the provider says more than its status does. */
  endings?: Partial<Record<FaultName, Ending>>
  /** The faults that the provider can play; the usual ones by default. */
  faults?: readonly FaultName[]
}

export interface IntegrationUnderTest {
  integration: Integration
  createActions: (env: Environment) => Implementation
  env: Environment
  /** What the user has connected; the values of secret fields are looked for everywhere. */
  connection?: { provider: string; values: Record<string, unknown> }
  provider: Pick<ScriptedProvider, 'script' | 'silence'> & { asked(path: string): number | Promise<number> }
  cases: readonly IntegrationCase[]
}

const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'

export function describeIntegration(subject: IntegrationUnderTest): void {
  for (const one of subject.cases) describeCase(subject, one)
}

function describeCase(subject: IntegrationUnderTest, one: IntegrationCase): void {
  const { integration, provider } = subject
  const { action, params, path } = one
  const tool = integration.tools.find((tool) => tool.action === action)?.specification
  assert.ok(tool, `${integration.name} has no action ${action}`)
  const isWrite = tool.effect === 'write'
  const title = (what: string) => `${tool.name}: ${what}`
  const secrets = secretsOf(subject)

  test(title('works'), async () => {
    await provider.script(undefined, path)
    const { answer } = await (await openIntegration(subject)).call({ action, params })
    assert.equal(answer.ok, true, JSON.stringify(answer))
    assert.equal((await provider.asked(path)) > 0, true, `nothing was asked of ${path}`)
  })

  for (const name of one.faults ?? usualFaults) {
    test(title(name), async () => {
      const fault = faults[name]
      await provider.script(fault.reply(secrets[0] ?? ''), path)
      const app = await openIntegration(subject)
      const { answer, log } = await app.call({ action, params, idempotencyKey: 'once' })
      const ending = one.endings?.[name] ?? fault[tool.effect]
      assertHonest(answer, ending, secrets, log)
      if (name === 'too many calls') assert.equal(answer.retryAfterMs, 7000)
      if (!isWrite || ending.errorType !== 'outcome_unknown') return
      assert.equal(await provider.asked(path), 1, 'the effect was asked for more than once')
      const again = await app.call({ action, params, idempotencyKey: 'once' })
      assertHonest(again.answer, ending, secrets, again.log)
      await app.call({ action, params, idempotencyKey: 'once', verify: true })
      assert.equal(await provider.asked(path), 1, 'what may have happened was done again')
    })
  }

  if (isWrite) {
    test(title('is done once, however often and however fast it is delivered'), async () => {
      await provider.script(undefined, path)
      const app = await openIntegration(subject)
      const delivery = () => app.call({ action, params, idempotencyKey: 'once' })
      const [first, atOnce] = await Promise.all([delivery(), delivery()])
      const later = await delivery()
      assert.equal(first.answer.ok, true, JSON.stringify(first.answer))
      assert.deepEqual([atOnce.answer, later.answer], [first.answer, first.answer])
      assert.equal(await provider.asked(path), 1)
    })
  }

  test(title('asks about arguments before anything is asked of the provider'), async () => {
    await provider.script(undefined, path)
    const app = await openIntegration(subject)
    for (const name of tool.parameters.required ?? []) {
      const { [name]: _, ...rest } = params
      const { answer, log } = await app.call({ action, params: rest })
      assertHonest(answer, { errorType: 'missing_parameter', resolver: 'model' }, secrets, log)
      assert.equal(answer.details.parameter, name)
    }
    const { answer, log } = await app.call({ action, params: { ...params, no_such_parameter: 'x' } })
    assertHonest(answer, { errorType: 'unknown_parameter', resolver: 'model' }, secrets, log)
    assert.equal(await provider.asked(''), 0)
  })

  test(title('refuses a body or an action that it does not know'), async () => {
    await provider.script(undefined, path)
    const app = await openIntegration(subject)
    const refused: [unknown, number, string][] = [
      [{ action: 'no_such_action', params }, 404, 'unknown_action'],
      [{ action, params: 'text' }, 400, 'bad_request'],
      [{ params }, 400, 'bad_request'],
    ]
    for (const [body, status, code] of refused) {
      const { result } = await withLog(() => app.post(body))
      assert.equal(result.status, status)
      assert.equal((await result.json()).error.code, code)
    }
    assert.equal(await provider.asked(''), 0)
  })
}

/** What the user would not want anybody to read; where nothing is connected, a key that only the provider repeats. */
function secretsOf({ integration, connection }: IntegrationUnderTest): string[] {
  const provider = integration.providers.find(({ id }) => id === connection?.provider)
  const values = provider && connection ? secretFields(provider).map((field) => connection.values[field]) : []
  const secrets = values.filter((value) => typeof value === 'string')
  return secrets.length > 0 ? secrets : ['sk-live-4f7d9a1c2b3e5d6f7a8b9c0d']
}

/** The function with an empty ledger, as a signed-in user calls it. */
export async function openIntegration({
  integration,
  createActions,
  env,
  connection,
  provider,
}: IntegrationUnderTest) {
  const connected = integration.providers.find(({ id }) => id === connection?.provider)
  const database = await createIntegrationDatabase(
    userId,
    connected && connection ? { provider: connected, values: connection.values } : undefined,
  )
  const app = createIntegrationApp(integration, createActions(env), {
    ...database,
    oauthServers: readOAuthServers({ GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' }),
    functionSecret: undefined,
    verify: async () => ({ userId, token: 'token', expiresAt: Date.now() / 1000 + 60 }),
  })
  const post = async (body: unknown, signal?: AbortSignal) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) }
    return await app.request(new Request(`http://localhost/${integration.name}`, init))
  }
  return {
    post,
    /** Gives up where the provider says nothing, as the integration's own limit would after 25 s. */
    async call(body: unknown): Promise<{ answer: ToolError & { ok: boolean }; log: string }> {
      const limit = new AbortController()
      void provider.silence().then(() => limit.abort(new DOMException('The time is over', 'TimeoutError')))
      const { result, log } = await withLog(() => post(body, limit.signal))
      assert.equal(result.status, 200)
      return { answer: await result.json(), log }
    },
  }
}

/** Runs it, and keeps what it writes to the console. */
async function withLog<T>(work: () => Promise<T>): Promise<{ result: T; log: string }> {
  const { log, error, warn, info } = console
  const lines: string[] = []
  const keep = (...words: unknown[]) => void lines.push(words.map(String).join(' '))
  Object.assign(console, { log: keep, error: keep, warn: keep, info: keep })
  try {
    return { result: await work(), log: lines.join('\n') }
  } finally {
    Object.assign(console, { log, error, warn, info })
  }
}

function assertHonest(
  answer: ToolError & { ok: boolean },
  ending: Ending,
  secrets: string[],
  log: string,
): void {
  const text = JSON.stringify(answer)
  assert.equal(answer.ok, false, text)
  assert.deepEqual({ errorType: answer.errorType, resolver: answer.resolver }, { ...ending }, text)
  const isQuestion = answer.resolver === 'model' || answer.resolver === 'user'
  assert.equal(answer.error.startsWith('Question: '), isQuestion, answer.error)
  for (const secret of secrets) {
    assert.equal(text.includes(secret), false, `the answer holds a secret: ${text}`)
    assert.equal(log.includes(secret), false, `the log holds a secret: ${log}`)
  }
  assert.doesNotMatch(answer.error, /\b(?:HTTP|[45]\d\d)\b/, 'an HTTP status')
  assert.doesNotMatch(
    answer.error,
    /<\/?\w+>|nginx|\n\s+at |\/srv\/|127\.0\.0\.1:|10\.0\.0\.7/,
    'a page, a path, a stack',
  )
}
