import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { signTicket, ticketHeader } from '../../shared/server/authentication/internal-ticket.ts'
import { createFunctionApp } from '../../shared/server/integration-function/integration-app.ts'
import { createActions } from '../../supabase/functions/smtp-api/actions.ts'
import { integration } from '../../supabase/functions/smtp-api/integration.ts'

const jwtSecret = 'a-secret-of-the-local-stack-with-32-characters'
const functionSecret = 'another-secret-between-functions-of-32-characters'
const userId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'

/** The real function; port 1 stands for a database that is down. */
const app = createFunctionApp(integration, createActions, {
  SUPABASE_URL: 'http://127.0.0.1:1',
  SUPABASE_SERVICE_ROLE_KEY: 'key',
  ASKBACK_JWT_SECRET: jwtSecret,
  ASKBACK_FUNCTION_SECRET: functionSecret,
})

const token = await new SignJWT({
  sub: userId,
  aud: 'authenticated',
  exp: Math.floor(Date.now() / 1000) + 600,
})
  .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
  .sign(new TextEncoder().encode(jwtSecret))
const signedIn = { authorization: `Bearer ${token}` }
const mail = { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' }

function post(body: unknown, headers: Record<string, string> = signedIn) {
  return app.request('/smtp-api', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function ticketFor(tool: string, params: object, secret = functionSecret, now = new Date()) {
  const hash = await argumentHash(params)
  const ticket = {
    subject: userId,
    run: crypto.randomUUID(),
    tool,
    argumentHash: hash,
    idempotencyKey: 'k',
  }
  return { [ticketHeader]: await signTicket(ticket, secret, now) }
}

test('nobody gets in without a valid token, whatever the body says', async () => {
  const body = { action: 'send_email', params: mail, userId, user_id: userId, idempotencyKey: 'k' }
  const refused: Record<string, string>[] = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: `Bearer ${token.slice(0, -4)}AAAA` },
    { apikey: token },
    await ticketFor('smtp_send_email', mail, 'a secret that is not the one between functions'),
    await ticketFor('smtp_send_email', mail, functionSecret, new Date(Date.now() - 61_000)),
    await ticketFor('smtp_send_email', { ...mail, to: ['eve@example.com'] }),
    await ticketFor('smtp_test_connection', mail),
  ]
  for (const headers of refused) {
    const response = await post(body, headers)
    assert.equal(response.status, 401, JSON.stringify(headers))
    const { error } = await response.json()
    assert.equal(error.code, 'unauthorized')
  }
})

test('a bad caller gets 4xx and a sentence that says what to send', async () => {
  const bad: [unknown, number, string, RegExp][] = [
    ['{"action":', 400, 'invalid_json', /Send a JSON object/],
    ['', 400, 'invalid_json', /Send a JSON object/],
    ['[]', 400, 'bad_request', /JSON object \{ action, params/],
    [{ params: mail }, 400, 'bad_request', /"action" is missing/],
    [{ action: 'send_email', params: [] }, 400, 'bad_request', /"params"/],
    [{ action: 'send_email', params: mail, agentId: '7' }, 400, 'bad_request', /"agentId"/],
    [{ action: 'send_email', params: mail, idempotencyKey: '' }, 400, 'bad_request', /"idempotencyKey"/],
    [{ action: 'delete_email' }, 404, 'unknown_action', /send_email, test_connection/],
    [{ action: 'toString' }, 404, 'unknown_action', /send_email, test_connection/],
    [
      { action: 'send_email', params: { ...mail, body: 'x'.repeat(17 * 1024 * 1024) } },
      413,
      'body_too_large',
      /16 MiB/,
    ],
  ]
  for (const [body, status, code, sentence] of bad) {
    const response = await post(body)
    assert.equal(response.status, status)
    const { error } = await response.json()
    assert.equal(error.code, code)
    assert.match(error.message, sentence)
  }
  const get = await app.request('/smtp-api', { headers: signedIn })
  assert.equal(get.status, 404)
})

test('a body that is nested too deeply to be read is refused in words', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const depth of [101, 3000, 200_000]) {
    const response = await post(`{"action":"send_email","params":{"body":${nested(depth)}}}`)
    assert.equal(response.status, 400)
    assert.equal((await response.json()).error.code, 'nested_too_deeply')
  }
})

test('what is missing or wrong in a call is part of the conversation: HTTP 200 and a question', async () => {
  const missing = await post({ action: 'send_email', params: { subject: 'Meeting', body: 'At ten.' } })
  assert.equal(missing.status, 200)
  const error = await missing.json()
  assert.equal(error.errorType, 'missing_parameter')
  assert.equal(error.details.parameter, 'to')
  const wrong = await (await post({ action: 'send_email', params: { ...mail, to: ['ada@example'] } })).json()
  assert.equal(wrong.errorType, 'invalid_value')
  assert.equal(wrong.details.parameter, 'to[0]')
})

test('a database that is down stops a mail before it is sent, and the clock may try again', async () => {
  for (const headers of [signedIn, await ticketFor('smtp_send_email', mail)]) {
    const response = await post({ action: 'send_email', params: mail, idempotencyKey: 'k' }, headers)
    assert.equal(response.status, 200)
    const error = await response.json()
    assert.equal(error.errorType, 'unavailable')
    assert.equal(error.resolver, 'time')
    assert.match(error.error, /so nothing was done/)
  }
})

test('a mail with 10 MiB of attachments passes the check of its arguments', async () => {
  const attachment = { filename: 'a.txt', content: 'x'.repeat(10 * 1024 * 1024) }
  const response = await post({ action: 'send_email', params: { ...mail, attachments: [attachment] } })
  assert.equal((await response.json()).errorType, 'unavailable')
})

test('a browser may call it from anywhere', async () => {
  const response = await app.request('/smtp-api', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-headers': 'authorization, x-client-info',
    },
  })
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('access-control-allow-headers'), 'authorization,x-client-info')
})
