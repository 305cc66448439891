import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import { consent } from '../../../support/google-oauth-server.ts'
import { appUrl, createSettingsApp, type SettingsApp } from '../../../support/settings-app.ts'
import { scope } from '../../../support/test-providers.ts'
import { useOAuth } from '../../../support/use-oauth.ts'

const { database, db, rpc, google } = useOAuth()
let app: SettingsApp
let ada: string
let eve: string

beforeAll(() => {
  app = createSettingsApp(rpc, { GOOGLE_OAUTH_BASE_URL: google.url })
})
beforeEach(async () => {
  ada = await db.createUser()
  eve = await db.createUser()
  for (const account of ['ada@gmail.test', 'grace@gmail.test']) google.revoke(account)
  google.requests.length = 0
})

const connectionsOf = async (user: string) =>
  (await app.call(user, 'GET', '/')).json.providers.flatMap(
    ({ connections }: { connections: unknown[] }) => connections,
  )
const scopesOf = (url: string) => new URL(url).searchParams.get('scope')?.split(' ')
const start = (user: string, body: Record<string, unknown>) =>
  app.call(user, 'POST', '/oauth/start', { provider: 'test-mail', ...body })

describe('what is asked for', () => {
  test('is as little as possible: the first tool of the provider, or what the named tools need', async () => {
    const asked = async (tools?: string[]) => scopesOf((await start(ada, { tools })).json.url)
    expect(await asked()).toEqual(['openid', 'email', scope.send])
    expect(await asked(['testmail_send'])).toEqual(['openid', 'email', scope.send])
    expect(await asked(['testmail_send', 'testmail_draft'])).toEqual(['openid', 'email', scope.compose])
    expect(await asked(['testmail_read', 'testmail_send'])).toEqual(['openid', 'email', scope.modify])
    expect(await asked(['testmail_actions'])).toEqual(['openid', 'email', scope.modify])
    expect(await asked(['testmail_actions:delete_forever'])).toEqual(['openid', 'email', scope.all])
  })

  test('comes with PKCE, a state, and a refresh token', async () => {
    const { searchParams } = new URL((await start(ada, {})).json.url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      access_type: 'offline',
      redirect_uri: 'http://127.0.0.1:9/functions/v1/integration-settings/oauth/callback',
    })
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('state')).toMatch(/\.[\w-]{43}$/)
  })

  test('is refused for unknown tools, providers without sign-in, and where no client is set up', async () => {
    const refusal = async (reply: ReturnType<typeof start>) => {
      const { status, json } = await reply
      return [status, json.error.code]
    }
    expect(await refusal(start(ada, { tools: ['web_search'] }))).toEqual([400, 'unknown_tool'])
    expect(await refusal(start(ada, { provider: 'test-search' }))).toEqual([400, 'no_sign_in'])
    expect(await refusal(start(ada, { provider: 'nobody' }))).toEqual([404, 'unknown_provider'])
    expect(await refusal(start(ada, { tools: 'testmail_send' }))).toEqual([400, 'bad_request'])
    const without = createSettingsApp(rpc, { GOOGLE_CLIENT_ID: undefined })
    const begun = without.call(ada, 'POST', '/oauth/start', { provider: 'test-mail' })
    expect(await refusal(begun)).toEqual([503, 'not_configured'])
  })
})

describe('signing in', () => {
  test('connects the account, with what was granted, and shows no token', async () => {
    const reply = await app.connect(ada, { provider: 'test-mail' })
    expect(reply.status).toBe(201)
    expect(reply.json.connection).toMatchObject({
      provider: 'test-mail',
      label: 'ada@gmail.test',
      account: 'ada@gmail.test',
      status: 'connected',
      scopes: [scope.send],
      lastError: null,
    })
    expect(reply.json.connection.allowed).toEqual(['Send test mail'])
    expect(reply.json.connection.unavailable.map(({ tool }: { tool: string }) => tool)).toEqual([
      'testmail_draft',
      'testmail_read',
      'testmail_actions',
      'testmail_actions:delete_forever',
    ])
    expect(reply.json.connection.unavailable[0].reason).toBe(
      '"Do testmail_draft" needs a permission that this Testmail connection was not given. Reconnect Testmail and allow it.',
    )
    expect(reply.text).not.toMatch(/ya29|1\/\/0/)
    const listed = await app.call(ada, 'GET', '/', undefined, { 'x-askback-language': 'de' })
    expect(listed.text).toContain(
      'Für „Do testmail_draft“ fehlt dieser Verbindung mit Testmail eine Berechtigung. Verbinde Testmail neu und erlaube es.',
    )
  })

  test('brings the browser back with a code of ours, and nothing is connected until it is used', async () => {
    const back = await app.signIn(ada, { provider: 'test-mail', returnTo: `${appUrl}/x?tab=2&code=old#part` })
    expect(back.origin + back.pathname + back.hash).toBe(`${appUrl}/x#part`)
    expect(back.searchParams.get('tab')).toBe('2')
    expect(back.searchParams.get('connecting')).toBe('test-mail')
    expect(back.searchParams.getAll('code')).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(google.requests).toEqual([])
    expect(await connectionsOf(ada)).toEqual([])
  })

  test('again with the same account renews the connection, and keeps what was granted before', async () => {
    const first = await app.connect(ada, { provider: 'test-mail' })
    const again = await app.connect(ada, { provider: 'test-mail', tools: ['testmail_read'] })
    expect(again.json.connection.id).toBe(first.json.connection.id)
    expect(again.json.connection.scopes).toEqual([scope.send, scope.modify])
    const other = await app.connect(ada, { provider: 'test-mail' }, { account: 'grace@gmail.test' })
    expect(other.json.connection.id).not.toBe(first.json.connection.id)
    expect(await connectionsOf(ada)).toHaveLength(2)
  })

  test('proposes the account of the connection that is renewed', async () => {
    const { json } = await app.connect(ada, { provider: 'test-mail' }, { account: 'grace@gmail.test' })
    const { json: begun } = await start(ada, { connectionId: json.connection.id })
    expect(new URL(begun.url).searchParams.get('login_hint')).toBe('grace@gmail.test')
    const { json: foreign } = await start(eve, { connectionId: json.connection.id })
    expect(new URL(foreign.url).searchParams.has('login_hint')).toBe(false)
  })

  test('is tested with a new token, by the function of the provider', async () => {
    const { json } = await app.connect(ada, { provider: 'test-mail' })
    app.asked.length = 0
    app.answerTest(toolError('not_configured', 'The API is not switched on.', { resolver: 'nobody' }))
    const tested = await app.call(ada, 'POST', `/connections/${json.connection.id}/test`)
    app.answerTest({ ok: true, data: {} })
    expect(tested.json.error).toBe('The API is not switched on.')
    expect(app.asked).toMatchObject([
      { path: '/test-mail-api/test-connection', body: { values: { access_token: expect.any(String) } } },
    ])
    expect(await connectionsOf(ada)).toMatchObject([{ status: 'connected' }])
  })

  test('mends a connection whose access was withdrawn', async () => {
    const { json } = await app.connect(ada, { provider: 'test-mail' })
    google.revoke('ada@gmail.test')
    const tested = await app.call(ada, 'POST', `/connections/${json.connection.id}/test`)
    expect(tested.json).toMatchObject({
      ok: false,
      errorType: 'authentication_error',
      details: { action: { href: `${appUrl}/settings/integrations?provider=test-mail` } },
    })
    expect(await connectionsOf(ada)).toMatchObject([{ status: 'expired', lastError: expect.any(String) }])
    await app.connect(ada, { provider: 'test-mail' })
    expect(await connectionsOf(ada)).toMatchObject([
      { id: json.connection.id, status: 'connected', lastError: null },
    ])
  })

  test('that is denied goes back with the reason, and the state is used up', async () => {
    const { json } = await start(ada, {})
    const back = await consent(json.url, { deny: true })
    const first = await app.call(undefined, 'GET', `/oauth/callback${back.search}`)
    expect(first.headers.get('location')).toBe(
      `${appUrl}/settings/integrations?provider=test-mail&connecting=test-mail&error=access_denied`,
    )
    expect((await app.call(undefined, 'GET', `/oauth/callback${back.search}`)).status).toBe(400)
  })

  test('with every box unticked connects nothing, and leaves no access behind', async () => {
    const reply = await app.connect(ada, { provider: 'test-mail' }, { untick: [scope.send] })
    expect(reply.status).toBe(422)
    expect(reply.json.error).toMatchObject({ code: 'nothing_granted' })
    expect(reply.json.error.message).toContain('leave the permissions ticked')
    expect(google.requests).toEqual(['authorization_code', 'revoke'])
    expect(await connectionsOf(ada)).toEqual([])
  })

  test('with every box unticked does not end what another connection lives on', async () => {
    const docs = await app.connect(ada, { provider: 'test-docs' })
    const reply = await app.connect(ada, { provider: 'test-mail' }, { untick: [scope.send] })
    expect(reply.json.error.code).toBe('nothing_granted')
    const tested = await app.call(ada, 'POST', `/connections/${docs.json.connection.id}/test`)
    expect(tested.json.ok).toBe(true)
  })

  test('finds another label where its own is taken', async () => {
    const first = await app.connect(ada, { provider: 'test-mail' }, { account: 'grace@gmail.test' })
    await app.call(ada, 'PATCH', `/connections/${first.json.connection.id}`, { label: 'ada@gmail.test' })
    const second = await app.connect(ada, { provider: 'test-mail' })
    expect([second.status, second.json.connection.label]).toEqual([201, 'ada@gmail.test (2)'])
  })

  test('shows when it ends, where the provider says so', async () => {
    google.settings.refreshTokenSeconds = 2 * 24 * 60 * 60
    const { json } = await app.connect(ada, { provider: 'test-mail' })
    google.settings.refreshTokenSeconds = undefined
    expect(json.connection.status).toBe('expiring')
    await database.sql`update askback.connections set expires_at = now() - interval '1 s' where id = ${json.connection.id}`
    expect(await connectionsOf(ada)).toMatchObject([{ status: 'expired' }])
  })

  test('that the provider cannot finish says so, and connects nothing', async () => {
    google.breakDown({ endpoint: 'token', status: 503, times: 1 })
    const reply = await app.connect(ada, { provider: 'test-mail' })
    expect([reply.status, reply.json.error.code]).toEqual([503, 'provider_unavailable'])
    expect(await connectionsOf(ada)).toEqual([])
  })
})

describe('attacks on signing in', () => {
  const complete = (user: string, code: string | null) => app.call(user, 'POST', '/oauth/complete', { code })

  test('a state is good once: a replayed callback goes nowhere', async () => {
    const { json } = await start(ada, {})
    const back = await consent(json.url)
    expect((await app.call(undefined, 'GET', `/oauth/callback${back.search}`)).status).toBe(303)
    const replayed = await app.call(undefined, 'GET', `/oauth/callback${back.search}`)
    expect(replayed.status).toBe(400)
    expect(replayed.text).toBe(
      'This sign-in has expired or was already used. Go back to the app and connect again.',
    )
    expect(replayed.headers.get('location')).toBeNull()
  })

  test('a made-up state, none, or one of another sign-in goes nowhere', async () => {
    const { json } = await start(ada, {})
    const { json: other } = await start(eve, {})
    const flow = (url: string) => new URL(url).searchParams.get('state')?.split('.') ?? []
    const mixed = `${flow(json.url)[0]}.${flow(other.url)[1]}`
    for (const state of [
      '',
      'x',
      `${'1'.repeat(36)}.${'a'.repeat(43)}`,
      mixed,
      `${flow(json.url)[0]}.${'a'.repeat(43)}`,
    ]) {
      const reply = await app.call(undefined, 'GET', `/oauth/callback?code=abc&state=${state}`)
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    }
  })

  test('a code is good once', async () => {
    const back = await app.signIn(ada, { provider: 'test-mail' })
    const code = back.searchParams.get('code')
    expect((await complete(ada, code)).status).toBe(201)
    expect((await complete(ada, code)).json.error.code).toBe('unknown_code')
  })

  test("another user's code is refused and used up: no mailbox lands in somebody else's account", async () => {
    const back = await app.signIn(ada, { provider: 'test-mail' })
    const code = back.searchParams.get('code')
    const stolen = await complete(eve, code)
    expect([stolen.status, stolen.json.error.code]).toEqual([403, 'foreign_code'])
    expect((await complete(ada, code)).status).toBe(400)
    expect(google.requests).toEqual([])
    expect([await connectionsOf(ada), await connectionsOf(eve)]).toEqual([[], []])
  })

  test('a lured victim connects nothing: the sign-in that somebody else began is not theirs', async () => {
    // Eve begins, Ada is lured to Google's page, signs in, and comes back to the app as herself.
    const back = await app.signIn(eve, { provider: 'test-mail' }, { account: 'ada@gmail.test' })
    expect((await complete(ada, back.searchParams.get('code'))).status).toBe(403)
    expect((await complete(eve, back.searchParams.get('code'))).status).toBe(400)
    expect([await connectionsOf(ada), await connectionsOf(eve)]).toEqual([[], []])
  })

  test('nobody completes without a token', async () => {
    const back = await app.signIn(ada, { provider: 'test-mail' })
    const reply = await app.call(undefined, 'POST', '/oauth/complete', {
      code: back.searchParams.get('code'),
    })
    expect(reply.status).toBe(401)
  })

  test('two requests with one code at the same moment make one connection', async () => {
    const back = await app.signIn(ada, { provider: 'test-mail' })
    const code = back.searchParams.get('code')
    const replies = await Promise.all(Array.from({ length: 6 }, () => complete(ada, code)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
    expect(google.requests).toEqual(['authorization_code'])
    expect(await connectionsOf(ada)).toHaveLength(1)
  })

  test('two sign-ins with one account at the same moment make one connection', async () => {
    const backs = await Promise.all([1, 2].map(() => app.signIn(ada, { provider: 'test-mail' })))
    const replies = await Promise.all(backs.map((back) => complete(ada, back.searchParams.get('code'))))
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(await connectionsOf(ada)).toHaveLength(1)
  })

  test('after ten minutes neither state nor code is good', async () => {
    const { json } = await start(ada, {})
    const late = await consent(json.url)
    const back = await app.signIn(ada, { provider: 'test-mail' })
    await database.sql`
      update askback.oauth_flows set expires_at = expires_at - interval '10 minutes' where user_id = ${ada}`
    expect((await app.call(undefined, 'GET', `/oauth/callback${late.search}`)).status).toBe(400)
    expect((await complete(ada, back.searchParams.get('code'))).json.error.code).toBe('unknown_code')
  })

  test('people are sent back to the app only', async () => {
    for (const returnTo of [
      'https://evil.example/',
      'https://app.example.com.evil.example/',
      'https://app.example.com@evil.example/',
      'https://user:password@app.example.com/',
      'http://app.example.com/',
      'https://app.example.com:8443/',
      '//evil.example/',
      '/settings',
      'javascript:alert(1)',
      'data:text/html,x',
      'https:/\\evil.example',
      '',
    ]) {
      const { status, json } = await start(ada, { returnTo })
      expect([returnTo, status, json.error?.code]).toEqual([returnTo, 400, 'return_to_not_allowed'])
    }
    expect((await start(ada, { returnTo: 'http://localhost:5173/any?x=1' })).status).toBe(200)
  })

  test('nobody is sent anywhere by a project that has not said where its app is', async () => {
    const bare = createSettingsApp(rpc, { ASKBACK_APP_URLS: '', GOOGLE_OAUTH_BASE_URL: google.url })
    const reply = await bare.call(ada, 'POST', '/oauth/start', { provider: 'test-mail' })
    expect([reply.status, reply.json.error.code]).toEqual([400, 'return_to_not_allowed'])
  })

  test('the sign-in decides which provider is connected, whatever the callback says', async () => {
    const { json } = await start(ada, { provider: 'test-docs' })
    const back = await consent(json.url)
    back.searchParams.set('provider', 'test-mail')
    back.searchParams.set('connecting', 'test-mail')
    const redirect = await app.call(undefined, 'GET', `/oauth/callback${back.search}`)
    const { searchParams } = new URL(redirect.headers.get('location') ?? '')
    expect(searchParams.get('connecting')).toBe('test-docs')
    const reply = await complete(ada, searchParams.get('code'))
    expect(reply.json.connection).toMatchObject({ provider: 'test-docs', scopes: [scope.file] })
  })

  test("an error of the provider is a short code, or none of its words reach the app's address", async () => {
    const { json } = await start(ada, {})
    const state = new URL(json.url).searchParams.get('state')
    const query = new URLSearchParams({ state: state ?? '', error: '<script>alert(1)</script>' })
    const redirect = await app.call(undefined, 'GET', `/oauth/callback?${query}`)
    expect(new URL(redirect.headers.get('location') ?? '').searchParams.get('error')).toBe('sign_in_failed')
  })

  test('a code that Google made for another sign-in is refused by its PKCE challenge', async () => {
    const { json: mine } = await start(ada, {})
    const { json: others } = await start(eve, {})
    const injected = (await consent(others.url)).searchParams.get('code')
    const state = new URL(mine.url).searchParams.get('state')
    const query = new URLSearchParams({ state: state ?? '', code: injected ?? '' })
    const redirect = await app.call(undefined, 'GET', `/oauth/callback?${query}`)
    const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code')
    expect((await complete(ada, code)).json.error.code).toBe('sign_in_refused')
    expect(await connectionsOf(ada)).toEqual([])
  })

  test('nothing that could be used is stored in plain text', async () => {
    const { json } = await start(ada, {})
    const back = await consent(json.url)
    const redirect = await app.call(undefined, 'GET', `/oauth/callback${back.search}`)
    const rows = JSON.stringify(await database.sql`select * from askback.oauth_flows where user_id = ${ada}`)
    const { searchParams } = new URL(redirect.headers.get('location') ?? '')
    for (const secret of [
      back.searchParams.get('code'),
      back.searchParams.get('state'),
      searchParams.get('code'),
    ]) {
      expect(rows).not.toContain(secret)
    }
  })
})

describe('disconnecting', () => {
  test('ends the access at the provider', async () => {
    const { json } = await app.connect(ada, { provider: 'test-mail' })
    const reply = await app.call(ada, 'DELETE', `/connections/${json.connection.id}`)
    expect(reply.json).toMatchObject({ deleted: json.connection.id, revoked: true })
    expect(google.requests).toEqual(['authorization_code', 'revoke'])
  })

  test('leaves alone what another connection lives on: Google ends all of an account at once', async () => {
    const mail = await app.connect(ada, { provider: 'test-mail' }, { account: 'grace@gmail.test' })
    const docs = await app.connect(ada, { provider: 'test-docs' }, { account: 'grace@gmail.test' })
    const first = await app.call(ada, 'DELETE', `/connections/${mail.json.connection.id}`)
    expect(first.json.revoked).toBeNull()
    const tested = await app.call(ada, 'POST', `/connections/${docs.json.connection.id}/test`)
    expect(tested.json).toEqual({ ok: true, data: { account: 'grace@gmail.test' } })
    const second = await app.call(ada, 'DELETE', `/connections/${docs.json.connection.id}`)
    expect(second.json.revoked).toBe(true)
  })

  test('of the last two at the same moment ends the access', async () => {
    const both = [
      await app.connect(ada, { provider: 'test-mail' }),
      await app.connect(ada, { provider: 'test-docs' }),
    ]
    const replies = await Promise.all(
      both.map(({ json }) => app.call(ada, 'DELETE', `/connections/${json.connection.id}`)),
    )
    expect(replies.map(({ json }) => json.revoked).sort()).toEqual([null, true])
  })

  test('says so when the provider could not be told', async () => {
    const { json } = await app.connect(ada, { provider: 'test-mail' })
    google.breakDown({ endpoint: 'revoke', status: 503, times: 1 })
    const reply = await app.call(ada, 'DELETE', `/connections/${json.connection.id}`)
    expect([reply.status, reply.json.revoked]).toEqual([200, false])
    expect(await connectionsOf(ada)).toEqual([])
  })
})
