import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consent,
  type GoogleOAuthServer,
  googleClient,
  startGoogleOAuth,
} from '../../../support/google-oauth-server.ts'

const redirectUri = 'http://127.0.0.1:9/functions/v1/integration-settings/oauth/callback'
const send = 'https://www.googleapis.com/auth/gmail.send'
const modify = 'https://www.googleapis.com/auth/gmail.modify'

let google: GoogleOAuthServer
beforeAll(async () => {
  google = await startGoogleOAuth()
})
afterAll(() => google.close())

/** The unmodified library, with its endpoints turned to the simulator. */
function createClient(secret = googleClient.clientSecret): OAuth2Client {
  return new OAuth2Client({
    clientId: googleClient.clientId,
    clientSecret: secret,
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${google.url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${google.url}/token`,
      oauth2RevokeUrl: `${google.url}/revoke`,
      tokenInfoUrl: `${google.url}/tokeninfo`,
      oauth2FederatedSignonJwkCertsUrl: `${google.url}/oauth2/v3/certs`,
    },
  })
}

async function signIn(client: OAuth2Client, choice?: Parameters<typeof consent>[1]) {
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync()
  const page = client.generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: ['openid', 'email', send, modify],
    state: 'state of ours',
    code_challenge_method: CodeChallengeMethod.S256,
    code_challenge: codeChallenge ?? '',
  })
  const back = await consent(page, choice)
  return { back, codeVerifier, code: back.searchParams.get('code') ?? '' }
}

async function connect(choice?: Parameters<typeof consent>[1]) {
  const client = createClient()
  const { code, codeVerifier } = await signIn(client, choice)
  const { tokens } = await client.getToken({ code, codeVerifier })
  client.setCredentials(tokens)
  return { client, tokens }
}

/** By hand: the library keeps the refresh token it has, since Google rotates none. */
async function refreshOnce(token: string | null | undefined) {
  const { clientId, clientSecret } = googleClient
  const form = {
    grant_type: 'refresh_token',
    refresh_token: token ?? '',
    client_id: clientId,
    client_secret: clientSecret,
  }
  return await (
    await fetch(`${google.url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  ).json()
}

const refusal = (error: string, description?: string) => ({
  response: { data: { error, ...(description ? { error_description: description } : {}) } },
})

describe('the simulator of Google sign-in, seen by the unmodified google-auth-library', () => {
  test('gives tokens with the scopes that were ticked, and says whose they are', async () => {
    const { client, tokens } = await connect({ account: 'grace@gmail.test', untick: [modify] })
    expect(tokens.scope?.split(' ')).toEqual([
      'openid',
      'https://www.googleapis.com/auth/userinfo.email',
      send,
    ])
    expect(google.accountOf(tokens.access_token ?? '')).toEqual({
      email: 'grace@gmail.test',
      scopes: tokens.scope?.split(' '),
    })
    const info = await client.getTokenInfo(tokens.access_token ?? '')
    expect(info.email).toBe('grace@gmail.test')
  })

  test('signs an id token for the client, with the address of the account', async () => {
    const { tokens } = await connect()
    const payload = JSON.parse(Buffer.from(tokens.id_token?.split('.')[1] ?? '', 'base64url').toString())
    expect(payload).toMatchObject({
      iss: 'https://accounts.google.com',
      aud: googleClient.clientId,
      email: 'ada@gmail.test',
      email_verified: true,
    })
  })

  test('returns the state, and access_denied when it is denied', async () => {
    const { back } = await signIn(createClient(), { deny: true })
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'state of ours' })
  })

  test('exchanges a code once', async () => {
    const client = createClient()
    const { code, codeVerifier } = await signIn(client)
    await client.getToken({ code, codeVerifier })
    await expect(client.getToken({ code, codeVerifier })).rejects.toMatchObject(
      refusal('invalid_grant', 'Malformed auth code.'),
    )
  })

  test('refuses another verifier, redirect address or client secret', async () => {
    const client = createClient()
    const wrong = await signIn(client)
    await expect(client.getToken({ code: wrong.code, codeVerifier: 'x'.repeat(43) })).rejects.toMatchObject(
      refusal('invalid_grant', 'Invalid code verifier.'),
    )
    const moved = await signIn(client)
    await expect(
      client.getToken({ ...moved, redirect_uri: 'http://127.0.0.1:9/elsewhere' }),
    ).rejects.toMatchObject(refusal('redirect_uri_mismatch'))
    const { code, codeVerifier } = await signIn(client)
    await expect(createClient('another').getToken({ code, codeVerifier })).rejects.toMatchObject(
      refusal('invalid_client'),
    )
  })

  test('refreshes an expired token by itself in the library', async () => {
    const { client, tokens } = await connect()
    google.expireAccessTokens()
    expect(google.accountOf(tokens.access_token ?? '')).toBeUndefined()
    client.setCredentials({ ...tokens, expiry_date: Date.now() - 1 })
    const { token } = await client.getAccessToken()
    expect(google.accountOf(token ?? '')?.email).toBe('ada@gmail.test')
  })

  test('rotates refresh tokens when told to, and ends the old one', async () => {
    const { client, tokens } = await connect()
    google.settings.rotate = true
    const { refresh_token: next } = await refreshOnce(tokens.refresh_token)
    expect(next).not.toBe(tokens.refresh_token)
    await expect(client.refreshAccessToken()).rejects.toMatchObject(refusal('invalid_grant'))
    expect(await refreshOnce(next)).toHaveProperty('access_token')
    google.settings.rotate = false
  })

  test('a revoked token ends all tokens of that account and app', async () => {
    const { client, tokens } = await connect()
    const other = await connect()
    await client.revokeToken(tokens.refresh_token ?? '')
    await expect(other.client.refreshAccessToken()).rejects.toMatchObject(
      refusal('invalid_grant', 'Token has been expired or revoked.'),
    )
    await expect(client.revokeToken(tokens.refresh_token ?? '')).rejects.toMatchObject(
      refusal('invalid_token'),
    )
  })

  test('shows its own page, and redirects nowhere, for an unknown client, address or scope', async () => {
    const page = (change: Record<string, string>) =>
      `${google.url}/o/oauth2/v2/auth?${new URLSearchParams({ client_id: googleClient.clientId, redirect_uri: redirectUri, response_type: 'code', scope: send, ...change })}`
    for (const [change, code] of [
      [{ client_id: 'unknown' }, 'invalid_client'],
      [{ redirect_uri: 'https://evil.test/' }, 'redirect_uri_mismatch'],
      [{ scope: 'https://www.googleapis.com/auth/unheard.of' }, 'invalid_scope'],
    ] as const) {
      const response = await fetch(page(change), { redirect: 'manual' })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(await response.text()).toContain(code)
    }
    expect(await (await fetch(page({}))).text()).toContain('This is a simulator of Google')
  })

  test('has outages: too many requests, server errors, answers that break off', async () => {
    const { client } = await connect()
    google.breakDown({ endpoint: 'token', status: 429, times: 1, retryAfterSeconds: 7 })
    const params = { grant_type: 'refresh_token' }
    const first = await fetch(`${google.url}/token`, { method: 'POST', body: new URLSearchParams(params) })
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7'])
    google.breakDown({ endpoint: 'token', status: 0, times: 1 })
    const broken = fetch(`${google.url}/token`, { method: 'POST', body: new URLSearchParams(params) }).then(
      (response) => response.text(),
    )
    await expect(broken).rejects.toThrow()
    await expect(client.refreshAccessToken()).resolves.toBeDefined()
  })
})
