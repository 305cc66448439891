import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ToolCallError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import { unusableSecret } from '../../../shared/server/connections/stored-connection.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../../shared/server/credentials/sealed-secret.ts'
import { createTokenSource } from '../../../shared/server/oauth/access-token.ts'
import { type OAuthServers, readOAuthServers } from '../../../shared/server/oauth/oauth-server.ts'
import { googleEnvironment } from '../../../support/google-oauth-server.ts'
import { mailProvider, scope } from '../../../support/test-providers.ts'
import { useOAuth } from '../../../support/use-oauth.ts'

const keyring = await readKeyring(`test:${btoa('k'.repeat(32))}`)
const { database, db, rpc, google } = useOAuth()
let servers: OAuthServers

beforeAll(() => {
  servers = readOAuthServers(googleEnvironment(google.url))
})
beforeEach(() => {
  google.settings.rotate = false
  google.settings.clockSkewSeconds = 0
  google.requests.length = 0
})

/** A connection with tokens of the simulator, whose access token has `seconds` left by our own clock. */
async function connect(seconds: number) {
  const userId = await db.createUser()
  const id = randomUUID()
  const account = { email: `${id}@gmail.test`, scopes: [scope.send] }
  const tokens = google.issue(account)
  const owner = { connectionId: id, userId, provider: mailProvider.id }
  const values = { access_token: tokens.accessToken, refresh_token: tokens.refreshToken ?? '' }
  const secrets = await Promise.all(
    Object.entries(values).map(([field, value]) => sealSecret(keyring, owner, { field, value, version: 1 })),
  )
  const connection = {
    id,
    provider: mailProvider.id,
    account: account.email,
    scopes: account.scopes,
    secrets,
  }
  const grant = { server: 'google', subject: account.email, accessSeconds: seconds }
  const stored = await rpc('store_oauth_connection', {
    p_user_id: userId,
    p_connection: { ...connection, ...grant },
  })
  expect(stored).toMatchObject({ stored: true })
  const heard: string[] = []
  /** Another isolate has its own source: nothing is shared but the database. */
  const isolate = (changes: { fetch?: typeof fetch; servers?: OAuthServers } = {}) =>
    createTokenSource(
      {
        id,
        userId,
        provider: mailProvider,
        openKeyring: async () => keyring,
        unusableSecret: (cause) => unusableSecret(cause, mailProvider),
        onSecret: (secret) => heard.push(secret),
      },
      { rpc, servers, ...changes },
    )
  const read = async () => {
    const [row] = await database.sql`select status, last_error from askback.connections where id = ${id}`
    return row
  }
  return { userId, id, account, tokens, isolate, heard, read }
}

const errorOf = (work: Promise<unknown>): Promise<ToolError> =>
  work.then(
    () => expect.unreachable('there is a token'),
    (cause) => {
      if (cause instanceof ToolCallError) return cause.toolError
      throw cause
    },
  )

describe('the access token of a connection', () => {
  test('is the stored one while it is good, without asking the provider', async () => {
    const { isolate, tokens, heard } = await connect(600)
    expect(await isolate()()).toBe(tokens.accessToken)
    expect(google.requests).toEqual([])
    expect(heard).toContain(tokens.accessToken)
  })

  test('is refreshed once for many isolates that ask at the same time', async () => {
    const { isolate, account } = await connect(5)
    const got = await Promise.all(Array.from({ length: 8 }, () => isolate()()))
    expect(new Set(got).size).toBe(1)
    expect(google.accountOf(got[0] ?? '')?.email).toBe(account.email)
    expect(google.requests).toEqual(['refresh_token'])
  })

  test('rotates with the provider, isolate after isolate', async () => {
    google.settings.rotate = true
    const { isolate } = await connect(5)
    const first = await isolate()()
    const source = isolate()
    const second = await source({ instead: await source() })
    const third = await source({ instead: second })
    expect(new Set([first, second, third]).size).toBe(3)
    expect(google.accountOf(third)).toBeDefined()
  })

  test('is refreshed before its time when the provider has refused it, once for all who were refused', async () => {
    const { isolate } = await connect(600)
    const isolates = [isolate(), isolate(), isolate()]
    const old = await Promise.all(isolates.map((source) => source()))
    google.expireAccessTokens()
    const renewed = await Promise.all(isolates.map((source, index) => source({ instead: old[index] ?? '' })))
    expect(new Set(renewed).size).toBe(1)
    expect(google.accountOf(renewed[0] ?? '')).toBeDefined()
    expect(google.requests).toEqual(['refresh_token'])
  })

  test.each([-3600, 3600])('does not mind that the clock of the provider is off by %i s', async (seconds) => {
    const { isolate } = await connect(5)
    google.settings.clockSkewSeconds = seconds
    const token = await isolate()()
    expect(google.accountOf(token)).toBeDefined()
    expect(await isolate()()).toBe(token)
  })

  test('is asked for anew by signing in, when the user has withdrawn the access', async () => {
    const { isolate, account, read } = await connect(5)
    google.revoke(account.email)
    const error = await errorOf(isolate()())
    expect(error).toMatchObject({
      errorType: 'authentication_error',
      resolver: 'user',
      details: { action: { label: 'Reconnect Testmail' } },
    })
    expect(error.error).toBe(
      'Question: Your sign-in with Testmail has expired or was withdrawn. Please reconnect Testmail in the integration settings.',
    )
    expect(await read()).toMatchObject({ status: 'expired', last_error: error.error })
  })

  test('waits for a provider that is busy, and the connection stays as it is', async () => {
    const { isolate, read } = await connect(5)
    google.breakDown({ endpoint: 'token', status: 429, times: 1, retryAfterSeconds: 7 })
    expect(await errorOf(isolate()())).toMatchObject({ resolver: 'time', retryAfterMs: 7000 })
    google.breakDown({ endpoint: 'token', status: 503, times: 1 })
    expect(await errorOf(isolate()())).toMatchObject({ resolver: 'time' })
    expect(await read()).toMatchObject({ status: 'connected' })
    // The lease has ended with each failure.
    expect(google.accountOf(await isolate()())).toBeDefined()
  })

  test("is the operator's, never the user's, where the client is wrong or not set up", async () => {
    const { isolate, read } = await connect(5)
    const { google: known } = servers
    if (!known) throw new Error('Google is switched on.')
    const wrong = { google: { ...known, clientSecret: 'another' } }
    for (const given of [wrong, {}]) {
      expect(await errorOf(isolate({ servers: given })())).toMatchObject({
        errorType: 'not_configured',
        resolver: 'nobody',
      })
    }
    expect(await read()).toMatchObject({ status: 'connected' })
  })

  test('survives a refresh whose answer is lost, where the provider does not rotate', async () => {
    const { isolate } = await connect(5)
    google.breakDown({ endpoint: 'token', status: 0, times: 1 })
    expect(await errorOf(isolate()())).toMatchObject({ resolver: 'time' })
    expect(google.accountOf(await isolate()())).toBeDefined()
  })

  test('asks the user, where the answer that is lost held the only refresh token', async () => {
    google.settings.rotate = true
    const { isolate, read } = await connect(5)
    google.breakDown({ endpoint: 'token', status: 0, times: 1 })
    expect(await errorOf(isolate()())).toMatchObject({ resolver: 'time' })
    expect(await errorOf(isolate()())).toMatchObject({ errorType: 'authentication_error', resolver: 'user' })
    expect(await read()).toMatchObject({ status: 'expired' })
  })

  test('takes the place of a refresher that died, after its lease', async () => {
    const { isolate, id, userId } = await connect(5)
    await rpc('begin_oauth_refresh', {
      p_user_id: userId,
      p_connection_id: id,
      p_holder: randomUUID(),
      p_lease_seconds: 0.5,
      p_margin_seconds: 60,
    })
    expect(google.accountOf(await isolate()())).toBeDefined()
    expect(google.requests).toEqual(['refresh_token'])
  })

  test('is revoked, not stored, when the user disconnects while it is refreshed', async () => {
    google.settings.rotate = true
    const { isolate, id, userId } = await connect(5)
    let given: { access_token?: string } = {}
    const disconnecting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).endsWith('/token')) return response
      given = await response.clone().json()
      await rpc('remove_connection', { p_user_id: userId, p_connection_id: id })
      return response
    }
    const error = await errorOf(isolate({ fetch: disconnecting })())
    expect(error).toMatchObject({ errorType: 'not_configured', resolver: 'user' })
    expect(given.access_token).toBeDefined()
    expect(google.accountOf(given.access_token ?? '')).toBeUndefined()
    expect(google.requests).toEqual(['refresh_token', 'revoke'])
    const left = await database.sql`select 1 from askback.connection_secrets where connection_id = ${id}`
    expect(left).toHaveLength(0)
  })

  test('leaves alone what a new sign-in has given meanwhile', async () => {
    const { isolate, id, userId, account } = await connect(5)
    const renewed = google.issue({ ...account, scopes: [scope.send, scope.modify] })
    const owner = { connectionId: id, userId, provider: mailProvider.id }
    const signingIn: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const values = { access_token: renewed.accessToken, refresh_token: renewed.refreshToken ?? '' }
      const secrets = await Promise.all(
        Object.entries(values).map(([field, value]) =>
          sealSecret(keyring, owner, { field, value, version: 2 }),
        ),
      )
      const grant = { server: 'google', subject: account.email, accessSeconds: 3599, scopes: renewed.scopes }
      await rpc('store_oauth_connection', {
        p_user_id: userId,
        p_connection: { id, provider: mailProvider.id, secrets, ...grant },
      })
      return response
    }
    expect(google.accountOf(await isolate({ fetch: signingIn })())).toBeDefined()
    expect(await isolate()()).toBe(renewed.accessToken)
    const [row] = await database.sql`select scopes from askback.connections where id = ${id}`
    expect(row?.scopes).toEqual(renewed.scopes)
  })

  test('is not given to another user', async () => {
    const { id } = await connect(600)
    const other = await db.createUser()
    const answer = await rpc('begin_oauth_refresh', {
      p_user_id: other,
      p_connection_id: id,
      p_holder: randomUUID(),
      p_lease_seconds: 20,
      p_margin_seconds: 60,
    })
    expect(answer).toEqual({ kind: 'gone' })
  })

  test('is asked for anew when what is stored was tampered with', async () => {
    const { isolate, id } = await connect(5)
    await database.sql`
      update askback.connection_secrets set ciphertext = ${randomUUID()} where connection_id = ${id} and field = 'refresh_token'`
    expect((await errorOf(isolate()())).error).toBe(
      'Question: Your Testmail sign-in appears to be corrupted. Please delete and re-add your Testmail sign-in in the integration settings.',
    )
  })

  test('takes over what was granted and when it ends from each refresh', async () => {
    google.settings.refreshTokenSeconds = 3600
    const { isolate, id } = await connect(5)
    google.settings.rotate = true
    await isolate()()
    google.settings.refreshTokenSeconds = undefined
    const [row] = await database.sql`select scopes, expires_at from askback.connections where id = ${id}`
    expect(row?.scopes).toEqual([scope.send])
    const left = (new Date(row?.expires_at).getTime() - Date.now()) / 1000
    expect(left).toBeGreaterThan(3000)
    expect(left).toBeLessThan(3700)
  })
})
