import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { decodeJwt, SignJWT } from 'jose'
import type { CallRpc } from '../../shared/server/database/call-rpc.ts'
import { hashCode } from '../../shared/server/oauth/one-time-code.ts'
import { createApp } from '../../supabase/functions/integration-settings/app.ts'
import { readDependencies } from '../../supabase/functions/integration-settings/dependencies.ts'
import { integration } from '../../supabase/functions/integration-settings/integration.ts'

const jwtSecret = 'a-secret-of-the-local-stack-with-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
const scope = 'https://www.googleapis.com/auth/gmail.send'
const secretsOfGoogle = ['ya29.planted-access', '1//0planted-refresh', 'GOCSPX-planted']

const sign = (claims: object) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(jwtSecret))
const token = await sign({ sub: userId, aud: 'authenticated', exp: Math.floor(Date.now() / 1000) + 600 })

const mail = {
  id: 'mail',
  name: 'Mail',
  description: 'Mail.',
  service: 'mail',
  purpose: 'send mail',
  function: 'mail-api',
  connection: { type: 'object' },
  oauth: { server: 'google', scopes: { mail_send: [scope] } },
  builtIn: false,
  source: 'project',
  tools: [{ name: 'mail_send', title: 'Send' }],
  connections: [],
}
const keyProvider = {
  ...mail,
  ...integration.providers[0],
  function: 'integration-settings',
  oauth: null,
  tools: [],
}

/** What the token endpoint was sent, by real HTTP. */
const sent: { form: URLSearchParams }[] = []
const server = createServer(async (request: IncomingMessage, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  sent.push({ form: new URLSearchParams(text) })
  response.setHeader('content-type', 'application/json')
  const idToken = await sign({ sub: '1', email: 'ada@gmail.test', aud: 'client' })
  response.end(
    JSON.stringify({
      access_token: secretsOfGoogle[0],
      refresh_token: secretsOfGoogle[1],
      expires_in: 3599,
      scope: `openid ${scope}`,
      id_token: idToken,
    }),
  )
})

/** Calls of the database, and what it answers: the database itself is tested with PostgreSQL. */
const calls: { name: string; args: Record<string, unknown> }[] = []
let answers: Record<string, (args: Record<string, never>) => unknown> = {}
const rpc = (async (name: string, args: object) => {
  calls.push({ name, args: args as Record<string, unknown> })
  return answers[name]?.(args as Record<string, never>) ?? null
}) as CallRpc

/** The function as it is deployed, but for the database. */
function startApp(google = 'http://127.0.0.1:1') {
  calls.length = 0
  sent.length = 0
  answers = {
    integration_settings: ({ p_provider: id }) => (id === 'openai' ? [keyProvider] : [mail]),
    account_refusal: () => null,
    begin_oauth: () => ({ begun: true }),
    items_waiting_for: () => [],
  }
  const env = {
    SUPABASE_URL: 'https://project.example.com',
    SUPABASE_SERVICE_ROLE_KEY: 'key',
    ASKBACK_JWT_SECRET: jwtSecret,
    ASKBACK_CREDENTIALS_KEYS: `a:${btoa('k'.repeat(32))}`,
    ASKBACK_APP_URLS: 'https://app.example.com',
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: secretsOfGoogle[2],
    GOOGLE_OAUTH_BASE_URL: google,
  }
  return createApp({ ...readDependencies(env, () => {}), rpc })
}

function ask(
  app: ReturnType<typeof startApp>,
  method: string,
  path: string,
  body?: unknown,
  headers = { authorization: `Bearer ${token}` },
) {
  return app.request(`/integration-settings${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

test('every route but the callback is for signed-in users', async () => {
  const app = startApp()
  const id = crypto.randomUUID()
  const routes = [
    ['GET', '/'],
    ['POST', '/connections'],
    ['PATCH', `/connections/${id}`],
    ['DELETE', `/connections/${id}`],
    ['POST', `/connections/${id}/test`],
    ['POST', '/oauth/start'],
    ['POST', '/oauth/complete'],
  ] as const
  for (const [method, path] of routes) {
    const response = await ask(app, method, path, method === 'GET' ? undefined : { user_id: userId }, {
      authorization: 'Bearer nonsense',
    })
    assert.equal(response.status, 401, path)
    assert.equal((await response.json()).error.code, 'unauthorized')
  }
  assert.deepEqual(calls, [])
})

test('a whole sign-in: what is stored is hashed and sealed, and the token request proves that it was ours', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const app = startApp(`http://127.0.0.1:${port}`)
  const started = await ask(app, 'POST', '/oauth/start', { provider: 'mail' })
  const { url } = await started.json()
  const page = new URL(url).searchParams
  const flow = calls.find(({ name }) => name === 'begin_oauth')?.args.p_flow as Record<string, never>
  const state = page.get('state') ?? ''
  assert.equal(flow.stateHash, await hashCode(state))
  assert.equal(flow.returnTo, 'https://app.example.com/settings/integrations?provider=mail')
  assert.ok(!JSON.stringify(calls).includes(state))

  answers.receive_oauth = () => ({ provider: 'mail', returnTo: flow.returnTo })
  const query = new URLSearchParams({ state, code: '4/planted-code' })
  const redirect = await app.request(`/integration-settings/oauth/callback?${query}`)
  assert.equal(redirect.status, 303)
  const back = new URL(redirect.headers.get('location') ?? '')
  assert.equal(back.searchParams.get('connecting'), 'mail')
  const received = calls.find(({ name }) => name === 'receive_oauth')?.args ?? {}
  const code = back.searchParams.get('code') ?? ''
  assert.equal(received.p_code_hash, await hashCode(code))

  const { id, verifier } = flow
  answers.take_oauth = () => ({
    kind: 'flow',
    id,
    provider: 'mail',
    scopes: [scope],
    verifier,
    providerCode: received.p_provider_code,
  })
  answers.find_oauth_connection = () => ({ id: null, version: 0, shared: false })
  answers.store_oauth_connection = () => ({ stored: true })
  const shown = {
    provider: 'mail',
    label: 'ada@gmail.test',
    account: 'ada@gmail.test',
    status: 'connected',
    metadata: {},
    scopes: [scope],
    position: 0,
    lastError: null,
    lastSaid: null,
    lastUsedAt: null,
    expiresAt: null,
  }
  answers.open_connection = ({ p_connection_id }) => ({
    connection: { ...shown, id: p_connection_id },
    secrets: [],
  })
  const done = await ask(app, 'POST', '/oauth/complete', { code })
  const answer = await done.text()
  assert.equal(done.status, 201, answer)
  const form = sent[0]?.form
  assert.equal(form?.get('code'), '4/planted-code')
  assert.equal(form?.get('redirect_uri'), page.get('redirect_uri'))
  assert.equal(await hashCode(form?.get('code_verifier') ?? ''), page.get('code_challenge'))
  const everything = JSON.stringify(calls) + answer
  for (const secret of [...secretsOfGoogle, '4/planted-code']) assert.ok(!everything.includes(secret), secret)
  assert.equal(decodeJwt(token).sub, calls.find(({ name }) => name === 'take_oauth')?.args.p_user_id)
  await new Promise((resolve) => server.close(resolve))
})

test('values that do not fit are said with every problem, and never repeated', async () => {
  const app = startApp()
  const response = await ask(app, 'POST', '/connections', {
    provider: 'openai',
    values: { api_key: 'planted with blanks' },
  })
  const text = await response.text()
  assert.equal(response.status, 422)
  assert.equal(JSON.parse(text).error.details.problems[0].parameter, 'api_key')
  assert.ok(!text.includes('planted'))
})

test('the callback tells people in plain words what is wrong, and sends them nowhere', async () => {
  const app = startApp()
  const response = await app.request('/integration-settings/oauth/callback?state=x&code=y')
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('location'), null)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(await response.text(), /Go back to the app and connect again/)
})
