import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogueTool } from '../../../shared/integrations/definition/integration.ts'
import { createExecutor } from '../../../shared/server/integration-function/execute-action.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'
import { readAppUrls } from '../../../shared/server/links/app-urls.ts'
import { readOAuthServers } from '../../../shared/server/oauth/oauth-server.ts'
import { googleEnvironment } from '../../../support/google-oauth-server.ts'
import { appUrl, createSettingsApp, type SettingsApp } from '../../../support/settings-app.ts'
import { mailProvider, scope } from '../../../support/test-providers.ts'
import { useOAuth } from '../../../support/use-oauth.ts'

const { database, db, rpc, google } = useOAuth()
const credentialsKeys = `test:${btoa('k'.repeat(32))}`
let app: SettingsApp
let user: string
let tokens: string[]

beforeAll(() => {
  app = createSettingsApp(rpc, { GOOGLE_OAUTH_BASE_URL: google.url })
})
beforeEach(async () => {
  google.revoke('ada@gmail.test')
  user = await db.createUser()
  tokens = []
})

const toolOf = (name: string): CatalogueTool => ({
  action: name,
  specification: {
    name,
    title: name === 'testmail_read' ? 'Read mail' : 'Send mail',
    description: name,
    effect: name === 'testmail_read' ? 'read' : 'write',
    parameters: { type: 'object', properties: {} },
    providers: [mailProvider.id],
  },
})

/** Calls a tool of Testmail as its function would; its answer repeats the token, as a careless provider might. */
function execute(name: string) {
  const action: IntegrationAction = {
    tool: toolOf(name),
    async run(_, { connection }) {
      const token = (await connection?.accessToken()) ?? ''
      tokens.push(token)
      return { as: google.accountOf(token)?.email ?? null, repeats: token, values: connection?.values }
    },
  }
  const env = { ...googleEnvironment(google.url), ASKBACK_APP_URLS: appUrl }
  const settings = { rpc, credentialsKeys, oauthServers: readOAuthServers(env), appUrls: readAppUrls(env) }
  const { execute } = createExecutor([mailProvider], settings)
  const signal = AbortSignal.timeout(20_000)
  return execute(action, {
    userId: user,
    args: {},
    argumentHash: 'hash',
    signal,
    usedModel: () => {},
  } as never)
}

const shown = async () =>
  (await app.call(user, 'GET', '/')).json.providers.find(({ id }: { id: string }) => id === mailProvider.id)
    .connections[0]

describe('an action of a provider with a sign-in', () => {
  test('acts with a token that is good, and neither token leaves the function', async () => {
    await app.connect(user, { provider: mailProvider.id })
    const result = await execute('testmail_send')
    expect(result).toEqual({ ok: true, data: { as: 'ada@gmail.test', repeats: '***', values: {} } })
    expect(await shown()).toMatchObject({ status: 'connected', lastUsedAt: expect.any(String) })
  })

  test('asks to connect, with a link to the page and what it is for', async () => {
    expect(await execute('testmail_read')).toMatchObject({
      errorType: 'not_configured',
      resolver: 'user',
      details: {
        action: {
          href: `${appUrl}/settings/integrations?provider=test-mail&tools=testmail_read`,
        },
      },
    })
  })

  test('says which permission is missing, and acts when it was given', async () => {
    await app.connect(user, { provider: mailProvider.id })
    const missing = await execute('testmail_read')
    expect(missing).toMatchObject({
      error:
        'Question: Your Testmail connection does not allow "Read mail" yet. Please reconnect Testmail in the integration settings and grant the permission it asks for.',
      errorType: 'authentication_error',
      resolver: 'user',
      details: {
        action: {
          label: 'Reconnect Testmail',
          href: `${appUrl}/settings/integrations?provider=test-mail&tools=testmail_read`,
        },
      },
    })
    expect(await shown()).toMatchObject({ status: 'connected', lastError: null })
    await app.connect(user, { provider: mailProvider.id, tools: ['testmail_read'] })
    expect((await shown()).scopes).toEqual([scope.send, scope.modify])
    expect(await execute('testmail_read')).toMatchObject({ ok: true })
  })

  test('refreshes an expired token, once', async () => {
    await app.connect(user, { provider: mailProvider.id })
    await database.sql`update askback.oauth_grants set access_expires_at = now()`
    google.expireAccessTokens()
    google.requests.length = 0
    const results = await Promise.all([execute('testmail_send'), execute('testmail_send')])
    expect(results).toMatchObject([{ data: { as: 'ada@gmail.test' } }, { data: { as: 'ada@gmail.test' } }])
    expect(google.requests).toEqual(['refresh_token'])
    expect(new Set(tokens).size).toBe(1)
  })

  test('of which nothing has happened asks to sign in anew when the access was withdrawn', async () => {
    await app.connect(user, { provider: mailProvider.id })
    await database.sql`update askback.oauth_grants set access_expires_at = now()`
    google.revoke('ada@gmail.test')
    const refused = await execute('testmail_send')
    expect(refused).toMatchObject({ errorType: 'authentication_error', resolver: 'user' })
    expect(tokens).toEqual([])
    expect(await shown()).toMatchObject({
      status: 'expired',
      lastError: 'Your sign-in with Testmail has expired or was withdrawn. Reconnect it here.',
    })
    await app.connect(user, { provider: mailProvider.id })
    expect(await execute('testmail_send')).toMatchObject({ ok: true })
    expect(await shown()).toMatchObject({ status: 'connected', lastError: null })
  })

  test('waits while the provider is away, of which nothing has happened', async () => {
    await app.connect(user, { provider: mailProvider.id })
    await database.sql`update askback.oauth_grants set access_expires_at = now()`
    google.breakDown({ endpoint: 'token', status: 503, times: 1 })
    expect(await execute('testmail_send')).toMatchObject({ errorType: 'unavailable', resolver: 'time' })
    expect(await shown()).toMatchObject({ status: 'connected' })
  })

  test('uses nothing that its owner has disabled', async () => {
    const { json } = await app.connect(user, { provider: mailProvider.id })
    await app.call(user, 'PATCH', `/connections/${json.connection.id}`, { disabled: true })
    expect(await execute('testmail_send')).toMatchObject({ errorType: 'not_configured', resolver: 'user' })
    expect(await shown()).toMatchObject({ status: 'disabled' })
  })

  test('is not told that a link leads anywhere where there is no app', async () => {
    const { execute } = createExecutor([mailProvider], { rpc, credentialsKeys })
    const action: IntegrationAction = { tool: toolOf('testmail_send'), run: async () => ({}) }
    const call = { userId: user, args: {}, argumentHash: 'hash', signal: AbortSignal.timeout(20_000) }
    const missing = await execute(action, { ...call, usedModel: () => {} } as never)
    expect(missing).toMatchObject({ errorType: 'not_configured' })
    expect(JSON.stringify(missing)).not.toContain('href')
  })
})
