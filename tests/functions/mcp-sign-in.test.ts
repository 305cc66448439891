import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolCallError } from '../../shared/engine/core/tool-error.ts'
import { ServerFailure } from '../../supabase/functions/mcp-client/protocol/server-failure.ts'
import { createSignIns } from '../../supabase/functions/mcp-client/sign-in/sign-in.ts'
import { SignInFailed } from '../../supabase/functions/mcp-client/sign-in/sign-in-failed.ts'
import { createSignInMemory } from '../../support/sign-in-memory.ts'

const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const returnTo = 'https://app.example.com/settings'

interface Received {
  path: string
  method: string
  form: URLSearchParams
  headers: Headers
}

type Behaviour = Partial<Record<string, (received: Received) => object | Response>>

/** An authorization server, and the server of MCP that it protects. */
function serveOAuth(behaviour: Behaviour = {}) {
  const received: Received[] = []
  let issued = 0
  const closing = new AbortController()
  const { signal } = closing
  const listener = Deno.serve({ hostname: '127.0.0.1', port: 0, signal, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url)
    const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '')
    const one = { path: pathname, method: request.method, form, headers: request.headers }
    received.push(one)
    const answer = (behaviour[pathname] ?? usual[pathname])?.(one) ?? new Response(null, { status: 404 })
    return answer instanceof Response ? answer : Response.json(answer)
  })
  const origin = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  }
  const usual: Behaviour = {
    '/.well-known/oauth-protected-resource/mcp': () => ({
      resource: `${origin}/mcp`,
      authorization_servers: [origin],
      scopes_supported: ['read'],
    }),
    '/.well-known/oauth-authorization-server': () => metadata,
    '/register': () => ({ client_id: 'client-1', redirect_uris: ['https://project.example/callback'] }),
    '/token': () => ({
      access_token: `canary-access-${++issued}`,
      refresh_token: `canary-refresh-${issued}`,
      token_type: 'Bearer',
      expires_in: 3600,
    }),
    '/revoke': () => new Response(null, { status: 200 }),
  }
  return {
    origin,
    url: `${origin}/mcp`,
    metadata,
    received,
    at: (path: string) => received.filter((one) => one.path === path),
    // Without waiting for answers that never come.
    [Symbol.asyncDispose]: async () => closing.abort(),
  }
}

function makeSignIns(now?: () => number) {
  const store = createSignInMemory(now)
  const settings = {
    store,
    identity: { redirectUrl: 'https://project.example/callback', name: 'Askback' },
    reach: { allowLoopback: true },
  }
  return { store, again: () => createSignIns(settings), ...createSignIns(settings) }
}
type SignIns = ReturnType<typeof makeSignIns>

const begin = (signIns: SignIns, server: string, metadataUrl?: string) =>
  signIns.begin(userId, { server, challenge: metadataUrl ? { metadataUrl } : {}, returnTo })

async function signIn(signIns: SignIns, server: string): Promise<void> {
  const { url } = await begin(signIns, server)
  const state = new URL(url).searchParams.get('state') ?? ''
  const address = await signIns.receive({ state, answer: { code: 'canary-code' } })
  await signIns.complete(userId, address?.searchParams.get('code') ?? '')
}

/** What is written down, by the SDK, too. */
const written: string[] = []
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
  console[level] = (...parts: unknown[]) => written.push(parts.map(String).join(' '))
}

const failed = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('It has worked.'),
    (cause) => cause,
  )
  assert.ok(error instanceof SignInFailed || error instanceof ServerFailure, String(error))
  assert.doesNotMatch(JSON.stringify(error.said) + error.message, /canary/)
  return error.said.values?.why
}

test('a user signs in for one server, with PKCE and for this resource, and its token is theirs alone', async () => {
  await using oauth = serveOAuth()
  const signIns = makeSignIns()
  const { url, host } = await begin(signIns, oauth.url)
  const asked = new URL(url).searchParams
  assert.equal(host, new URL(oauth.origin).host)
  assert.equal(asked.get('resource'), oauth.url)
  assert.equal(asked.get('code_challenge_method'), 'S256')
  assert.equal(asked.get('scope'), 'read')
  const state = asked.get('state') ?? ''
  const address = await signIns.receive({ state, answer: { code: 'canary-code' } })
  assert.equal(address?.origin, 'https://app.example.com')
  assert.doesNotMatch(String(address), /canary/)
  assert.equal(await signIns.receive({ state, answer: { code: 'another' } }), undefined)
  assert.equal(await signIns.again().complete(userId, address?.searchParams.get('code') ?? ''), oauth.url)
  const [{ form } = { form: new URLSearchParams() }, ...others] = oauth.at('/token')
  assert.deepEqual(others, [])
  assert.equal(form.get('code'), 'canary-code')
  assert.equal(form.get('resource'), oauth.url)
  assert.ok(form.get('code_verifier'))
  assert.equal(await signIns.token(userId, oauth.url), 'canary-access-1')
  assert.equal(await signIns.token('11111111-1111-1111-1111-111111111111', oauth.url), undefined)
  assert.equal(await signIns.token(userId, `${oauth.origin}/other`), undefined)
})

test('of two tabs each ends its own sign-in, and nobody else ends either', async () => {
  await using oauth = serveOAuth()
  const signIns = makeSignIns()
  const states = [await begin(signIns, oauth.url), await begin(signIns, oauth.url)].map(
    ({ url }) => new URL(url).searchParams.get('state') ?? '',
  )
  const codes: string[] = []
  for (const state of states) {
    const address = await signIns.receive({ state, answer: { code: 'canary-code' } })
    codes.push(address?.searchParams.get('code') ?? '')
  }
  assert.equal(
    await failed(signIns.complete('11111111-1111-1111-1111-111111111111', codes[0] ?? '')),
    'unknown',
  )
  assert.equal(await signIns.complete(userId, codes[1] ?? ''), oauth.url)
  assert.equal(await failed(signIns.complete(userId, codes[1] ?? '')), 'unknown')
  assert.equal(oauth.at('/register').length, 1)
})

test('a server whose metadata is that of another issuer gets nobody', async () => {
  await using oauth = serveOAuth({
    '/.well-known/oauth-authorization-server': () => ({
      ...oauth.metadata,
      issuer: 'https://accounts.example.com',
    }),
  })
  const signIns = makeSignIns()
  assert.equal(await failed(begin(signIns, oauth.url)), 'issuer')
  assert.equal(oauth.at('/register').length, 0)
})

test('an answer that another issuer has given is not exchanged', async () => {
  await using oauth = serveOAuth()
  const signIns = makeSignIns()
  const { url } = await begin(signIns, oauth.url)
  const state = new URL(url).searchParams.get('state') ?? ''
  const answer = { code: 'canary-code', iss: 'https://accounts.example.com' }
  const address = await signIns.receive({ state, answer })
  assert.equal(await failed(signIns.complete(userId, address?.searchParams.get('code') ?? '')), 'issuer')
  assert.deepEqual(oauth.at('/token'), [])
})

test('a sign-in page that is not on the web is not opened', async () => {
  for (const page of [
    'javascript:alert(1)',
    'http://example.com/authorize',
    'https://10.0.0.1/authorize',
    'data:,a',
  ]) {
    await using oauth = serveOAuth({
      '/.well-known/oauth-authorization-server': () => ({ ...oauth.metadata, authorization_endpoint: page }),
    })
    const why = await failed(begin(makeSignIns(), oauth.url))
    assert.match(String(why), /^(?:page|not_offered)$/, page)
  }
})

test('a server that is described as another one gets nobody, nor does one whose description is elsewhere inside', async () => {
  await using oauth = serveOAuth({
    '/.well-known/oauth-protected-resource/mcp': () => ({
      resource: 'https://other.example.com/mcp',
      authorization_servers: [oauth.origin],
    }),
  })
  assert.equal(await failed(begin(makeSignIns(), oauth.url)), 'resource')
  await using inside = serveOAuth({
    '/.well-known/oauth-protected-resource/mcp': () => ({
      resource: inside.url,
      authorization_servers: ['https://169.254.169.254'],
    }),
  })
  assert.equal(await failed(begin(makeSignIns(), inside.url)), 'private')
})

test('a code goes to the endpoint of its issuer and nowhere else, wherever that redirects', async () => {
  await using other = serveOAuth()
  for (const status of [302, 307, 308]) {
    await using oauth = serveOAuth({
      '/token': () => new Response(null, { status, headers: { location: `${other.origin}/token` } }),
    })
    assert.equal(await failed(signIn(makeSignIns(), oauth.url)), 'redirects')
  }
  assert.deepEqual(other.received, [])
})

test('a refusal is a sentence of ours, whatever it repeats', async () => {
  await using oauth = serveOAuth({
    '/token': ({ form }) =>
      Response.json({ error: 'invalid_grant', error_description: `No ${form.get('code')}` }, { status: 400 }),
  })
  assert.equal(await failed(signIn(makeSignIns(), oauth.url)), 'refused')
})

test('an authorization server that sends too much, or nothing, is a sentence', async () => {
  await using oauth = serveOAuth({ '/token': () => new Response(`"${'x'.repeat(10_485_760)}"`) })
  assert.equal(await failed(signIn(makeSignIns(), oauth.url)), 'size')
})

test('a token that ends soon is refreshed once, for all who ask at the same time', async () => {
  let now = 0
  await using oauth = serveOAuth()
  const signIns = makeSignIns(() => now)
  await signIn(signIns, oauth.url)
  now = 3_560_000
  const tokens = await Promise.all([1, 2, 3].map(() => signIns.again().token(userId, oauth.url)))
  assert.deepEqual(tokens, Array(3).fill('canary-access-2'))
  const [, { form } = { form: new URLSearchParams() }, ...others] = oauth.at('/token')
  assert.deepEqual(others, [])
  assert.equal(form.get('refresh_token'), 'canary-refresh-1')
  assert.equal(form.get('resource'), oauth.url)
})

test('a token that the server refuses is refreshed, and one that is newer by now is taken', async () => {
  await using oauth = serveOAuth()
  const signIns = makeSignIns()
  await signIn(signIns, oauth.url)
  assert.equal(await signIns.token(userId, oauth.url, 'canary-access-1'), 'canary-access-2')
  assert.equal(await signIns.token(userId, oauth.url, 'canary-access-1'), 'canary-access-2')
  assert.equal(oauth.at('/token').length, 2)
})

test('a refresh whose reply is lost, and one that is refused, need a new sign-in, and nothing is sent again', async () => {
  for (const reply of [
    () => new Response('{"access_', { headers: { 'content-type': 'application/json' } }),
    () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
  ]) {
    let tokens = 0
    await using oauth = serveOAuth({
      '/token': () =>
        tokens++ === 0
          ? {
              access_token: 'canary-access',
              refresh_token: 'canary-refresh',
              token_type: 'Bearer',
              expires_in: 3600,
            }
          : reply(),
    })
    const signIns = makeSignIns()
    await signIn(signIns, oauth.url)
    assert.equal(await signIns.token(userId, oauth.url, 'canary-access'), undefined)
    assert.equal(await signIns.token(userId, oauth.url), undefined)
    assert.equal(tokens, 2)
  }
})

test('while the authorization server is away, a token is renewed later', async () => {
  let isAway = false
  await using oauth = serveOAuth({
    '/token': () =>
      isAway
        ? Response.json({ error: 'temporarily_unavailable' }, { status: 503 })
        : {
            access_token: 'canary-access',
            refresh_token: 'canary-refresh',
            token_type: 'Bearer',
            expires_in: 3600,
          },
  })
  const signIns = makeSignIns()
  await signIn(signIns, oauth.url)
  isAway = true
  const error = await signIns.token(userId, oauth.url, 'canary-access').catch((cause) => cause)
  assert.ok(error instanceof ToolCallError)
  assert.equal(error.toolError.resolver, 'time')
  isAway = false
  assert.equal(await signIns.token(userId, oauth.url, 'canary-access'), 'canary-access')
})

test('a refresh token goes to the endpoint that it was issued at, whatever the server says later', async () => {
  await using other = serveOAuth()
  let isMoved = false
  await using oauth = serveOAuth({
    '/.well-known/oauth-protected-resource/mcp': () => ({
      resource: oauth.url,
      authorization_servers: [isMoved ? other.origin : oauth.origin],
    }),
  })
  const signIns = makeSignIns()
  await signIn(signIns, oauth.url)
  isMoved = true
  assert.equal(await signIns.token(userId, oauth.url, 'canary-access-1'), 'canary-access-2')
  assert.deepEqual(other.received, [])
  const { host } = await begin(signIns, oauth.url)
  assert.equal(host, new URL(other.origin).host)
  assert.equal(other.at('/register').length, 1)
})

test('signing out forgets the tokens, and ends them where they were issued', async () => {
  await using oauth = serveOAuth()
  const signIns = makeSignIns()
  await signIn(signIns, oauth.url)
  await signIns.signOut(userId, oauth.url)
  assert.equal(await signIns.token(userId, oauth.url), undefined)
  assert.equal(oauth.at('/revoke')[0]?.form.get('token'), 'canary-refresh-1')
})

test('nothing of all this was written down', () => assert.doesNotMatch(written.join('\n'), /canary/))
