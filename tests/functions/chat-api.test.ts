import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createApp } from '../../supabase/functions/chat/app.ts'
import { readDependencies } from '../../supabase/functions/chat/turn/dependencies.ts'

const secret = 'a-secret-of-the-local-stack-with-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'

/** Nobody listens on port 1: a project whose database is down. */
const unreachable = 'http://127.0.0.1:1'

const app = createApp(
  readDependencies(
    {
      SUPABASE_URL: unreachable,
      SUPABASE_SERVICE_ROLE_KEY: 'key',
      ASKBACK_JWT_SECRET: secret,
      LLM_PROVIDER: 'none',
    },
    () => {},
  ),
)

const sign = (claims: Record<string, unknown> = {}, key = secret) =>
  new SignJWT({ sub: userId, aud: 'authenticated', exp: Math.floor(Date.now() / 1000) + 60, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(key))
const token = await sign()

function post(body: unknown, headers: Record<string, string> = {}, path = '/chat') {
  return app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
async function problem(response: Response) {
  const { error } = await response.json()
  return [response.status, error.code, error.message]
}
const uiBody = {
  id: 'c1',
  messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  trigger: 'submit-message',
}

test('every route asks who is calling', async () => {
  const routes = [
    ['POST', '/chat'],
    ['GET', '/chat/conversations'],
    ['GET', '/chat/conversations/c1'],
    ['PATCH', '/chat/conversations/c1'],
    ['DELETE', '/chat/conversations/c1'],
    ['GET', '/chat/c1/stream'],
    ['POST', '/chat/c1/stop'],
    ['POST', '/chat/c1/answer'],
    ['POST', '/chat/c1/approval'],
    ['POST', '/chat/c1/resume'],
    ['PUT', '/chat/conversations/c1/feedback'],
    ['GET', '/chat/operator'],
    ['GET', '/chat/operator/runs?find=x'],
    ['GET', '/chat/operator/runs/x'],
    ['POST', '/chat/operator/runs/x/stop'],
    ['GET', '/chat/operator/stuck'],
    ['GET', '/chat/operator/tools'],
    ['PATCH', '/chat/operator/tools/x'],
    ['GET', '/chat/operator/functions'],
    ['PUT', '/chat/operator/functions/x'],
    ['DELETE', '/chat/operator/functions/x'],
    ['GET', '/chat/v1/models'],
    ['GET', '/chat/v1/models/m1'],
    ['POST', '/chat/v1/chat/completions'],
  ]
  for (const [method, path] of routes) {
    const response = await app.request(path ?? '', { method: method ?? '' })
    assert.equal(response.status, 401, `${method} ${path}`)
    assert.match(await response.text(), /Sign in first/)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
})

test('a token that is expired, altered, unsigned, of another audience or of nobody is refused', async () => {
  const now = Math.floor(Date.now() / 1000)
  const [header, payload, signature] = token.split('.')
  const tokens = {
    expired: await sign({ exp: now - 1 }),
    altered: [header, `${payload?.slice(0, -2)}AA`, signature].join('.'),
    'of another secret': await sign({}, `${secret}!`),
    unsigned: new UnsecuredJWT({ sub: userId, aud: 'authenticated', exp: now + 60 }).encode(),
    'of another audience': await sign({ aud: 'anon' }),
    'of nobody': await sign({ sub: 'admin' }),
    'of the service': await sign({ sub: undefined, aud: undefined, role: 'service_role' }),
  }
  for (const [name, value] of Object.entries(tokens)) {
    const response = await post(
      { message: 'hi', userId, user: { id: userId } },
      { authorization: `Bearer ${value}` },
    )
    const [status, code, message] = await problem(response)
    assert.deepEqual([status, code], [401, 'unauthorized'], name)
    assert.match(message, /\.$/)
  }
})

test('on Supabase, the keys that the project publishes verify tokens, and a public key is no shared secret', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] })
  const project = Deno.serve({ hostname: '127.0.0.1', port: 0, onListen() {} }, (request) =>
    request.url.endsWith('/auth/v1/.well-known/jwks.json')
      ? new Response(jwks)
      : new Response(null, { status: 503 }),
  )
  const url = `http://127.0.0.1:${project.addr.port}`
  const hosted = createApp(
    readDependencies({ SUPABASE_URL: url, SUPABASE_SECRET_KEYS: '{"default":"key"}' }, () => {}),
  )
  const resume = (value: string) =>
    hosted.request('/chat/c1/stream', { headers: { authorization: `Bearer ${value}` } })
  const signed = await new SignJWT({ sub: userId, aud: 'authenticated', iss: `${url}/auth/v1` })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setExpirationTime('1m')
    .sign(privateKey)
  // The caller is known, and the database is down.
  assert.equal((await resume(signed)).headers.get('x-askback-error'), 'database_unavailable')
  assert.equal((await resume(await sign({}, jwks))).status, 401)
  assert.equal((await resume(token)).status, 401)
  await project.shutdown()
})

test('AI SDK clients read errors as a sentence, and as JSON when they ask for it', async () => {
  const anonymous = { authorization: '' }
  for (const [body, headers, status] of [
    [uiBody, anonymous, 401],
    [{ ...uiBody, messages: [] }, {}, 400],
    [{ ...uiBody, id: 'not/possible' }, {}, 400],
  ] as const) {
    const plain = await post(body, headers)
    assert.equal(plain.status, status)
    assert.match(plain.headers.get('content-type') ?? '', /^text\/plain/)
    assert.ok(plain.headers.get('x-askback-error'))
    assert.doesNotMatch(await plain.text(), /[{}]/)
    const json = await post(body, { ...headers, accept: 'application/json' })
    assert.equal((await problem(json))[0], status)
  }
  const resume = await app.request('/chat/c1/stream')
  assert.match(resume.headers.get('content-type') ?? '', /^text\/plain/)
})

test('an AI SDK form whose run cannot begin is told so as a sentence', async () => {
  const resume = await app.request('/chat/c1/stream', { headers: { authorization: `Bearer ${token}` } })
  for (const response of [await post(uiBody), resume]) {
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('x-askback-error'), 'database_unavailable')
    assert.match(await response.text(), /database cannot be reached/)
  }
})

test('a body that is not JSON is 400', async () => {
  for (const body of ['', 'hello', '{"message":', '{"message":"a"} b']) {
    const [status, code] = await problem(await post(body))
    assert.deepEqual([status, code], [400, 'invalid_json'])
  }
})

test('the JSON form may have 8 MiB, the AI SDK forms 32 MiB', async () => {
  const padding = (mebibytes: number) => 'x'.repeat(mebibytes * 1024 * 1024)
  const json = await post({ message: 'hi', padding: padding(8) })
  assert.deepEqual((await problem(json)).slice(0, 2), [413, 'body_too_large'])
  const ui = { ...uiBody, padding: padding(9) }
  assert.equal((await post(ui)).status, 503)
  const large = await post({ ...uiBody, padding: padding(32) })
  assert.equal(large.status, 413)
  assert.match(large.headers.get('content-type') ?? '', /^text\/plain/)
})

test('a message over 1 MiB is 413 and says so', async () => {
  const [status, code, message] = await problem(await post({ message: 'x'.repeat(1024 * 1024 + 1) }))
  assert.deepEqual([status, code], [413, 'message_too_large'])
  assert.match(message, /1 MiB/)
})

test('a database that is down is 503, and says that nothing is stored', async () => {
  const [status, code, message] = await problem(await post({ message: 'hi' }))
  assert.deepEqual([status, code], [503, 'database_unavailable'])
  assert.match(message, /not stored yet.*again/)
})

test('decisions and forms that are incomplete are refused with what is missing', async () => {
  const cases = [
    ['/chat/c1/answer', {}, /values/],
    ['/chat/c1/answer', { values: {} }, /itemId/],
    [
      '/chat/c1/answer',
      { itemId: 'x', values: { deep: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) } },
      /100 levels/,
    ],
    ['/chat/c1/answer', { toolCallId: 'x', values: [] }, /values/],
    ['/chat/c1/approval', { toolCallId: 'x' }, /decision/],
    ['/chat/c1/approval', { toolCallId: 'x', decision: 'maybe' }, /decision/],
    ['/chat/c1/approval', { toolCallId: 'x', decision: 'approve' }, /approvalId/],
    ['/chat/c1/approval', { toolCallId: 'x', approvalId: 'x.1', decision: 'approve', input: 'all' }, /input/],
    ['/chat/c1/approval', { toolCallId: 'x', approvalId: 'x.1', decision: 'deny', reason: 5 }, /reason/],
    ['/chat/c1/skip', {}, /itemId/],
  ] as const
  for (const [path, body, words] of cases) {
    const [status, , message] = await problem(await post(body, {}, path))
    assert.equal(status, 400)
    assert.match(message, words)
  }
})

test('a list is asked for in a way that it can be answered', async () => {
  const get = (query: string) =>
    app.request(`/chat/conversations?${query}`, { headers: { authorization: `Bearer ${token}` } })
  for (const [query, words] of [
    ['limit=0', /"limit"/],
    ['limit=201', /"limit"/],
    ['before=yesterday', /"before".*2026-01-31T12:00:00Z/],
    ['before=2026-01-31T12:00:00Z,2,c1', /"before"/],
    ["before=2026-01-31T12:00:00Z,1,c1'--", /"before"/],
    ['before=%2B275760-09-13', /"before"/],
    ['archived=maybe', /"archived"/],
  ] as const) {
    const [status, code, message] = await problem(await get(query))
    assert.deepEqual([status, code], [400, 'bad_request'], query)
    assert.match(message, words)
  }
  // These are passed on to the database, which is down.
  for (const query of [
    'before=2026-01-31T12:00:00.123456Z,1,c.1~x',
    'before=2026-01-31T12:00:00+00:00',
    'archived=true',
    `q=${encodeURIComponent(`'"%:*|&!()<->😀${'x'.repeat(10_000)}`)}`,
  ])
    assert.equal((await get(query)).status, 503, query)
})

test('a change of a conversation says what is changed', async () => {
  const patch = (body: unknown) =>
    app.request('/chat/conversations/c1', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const [body, words] of [
    [{}, /"title", "pinned" and "archived"/],
    [[], /JSON object/],
    [{ title: ' ' }, /1 to 200/],
    [{ title: 'x'.repeat(201) }, /1 to 200/],
    [{ pinned: 'yes' }, /"pinned" must be true or false, not "yes"/],
    [{ archived: null }, /"archived" must be true or false, not null/],
    [{ title: 'Fine', archived: 1 }, /"archived"/],
  ] as const) {
    const [status, code, message] = await problem(await patch(body))
    assert.deepEqual([status, code], [400, 'bad_request'])
    assert.match(message, words)
  }
  assert.equal((await patch({ pinned: false })).status, 503)
})

test('a browser of any origin may send the headers of its client', async () => {
  const asked = 'authorization,apikey,content-type,x-client-info,x-region,user-agent,x-my-own'
  const preflight = await app.request('/chat', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-headers'), asked)
  const refusal = await post('not json', { origin: 'https://app.example' })
  assert.equal(refusal.headers.get('access-control-allow-origin'), '*')
})

test('an unknown path is a 404 in JSON', async () => {
  assert.deepEqual((await problem(await app.request('/chat/a/b/c'))).slice(0, 2), [404, 'not_found'])
})

test('the clock is told that the functions have no secret', async () => {
  const [status, code, message] = await problem(await post({}, { 'x-askback-clock': 'any' }, '/chat/clock'))
  assert.deepEqual([status, code], [503, 'not_configured'])
  assert.match(message, /ASKBACK_FUNCTION_SECRET is not set/)
})
