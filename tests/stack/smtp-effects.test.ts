import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../local/inbox/certificate.ts'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { createTokenVerifier } from '../../shared/server/authentication/user-token.ts'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { sealSecret } from '../../shared/server/credentials/sealed-secret.ts'
import { createRpc } from '../../shared/server/database/call-rpc.ts'
import { createIntegrationApp } from '../../shared/server/integration-function/integration-app.ts'
import { implement } from '../../supabase/functions/smtp-api/actions.ts'
import { integration } from '../../supabase/functions/smtp-api/integration.ts'
import { startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { DatabaseCalls } from '../../support/database-calls.ts'
import {
  type ScriptedSmtpServer,
  type SmtpScript,
  smtpPassword,
  smtpUser,
  startSmtpServer,
} from '../../support/smtp-server.ts'

/** The function in this process, on a real database, against mail servers that fail by script. */
const certificate = await makeCertificate()
const servers: ScriptedSmtpServer[] = []
const calls = new DatabaseCalls()
let database: TestDatabase
let app: ReturnType<typeof createIntegrationApp>

beforeAll(async () => {
  database = await startTestDatabase()
  calls.open(database)
  await database.dataApi.readSchema()
  const { jwtSecret, secretKey, credentialsKeys } = database.keys
  const smtp = implement({
    allowPrivateHosts: true,
    certificateAuthority: certificate.authority,
    hosted: false,
    deadlineMs: 2000,
  })
  app = createIntegrationApp(integration, smtp, {
    verify: createTokenVerifier({ secret: jwtSecret }),
    functionSecret: undefined,
    rpc: createRpc({
      url: 'http://127.0.0.1',
      serviceKey: secretKey,
      fetch: (input, init) => Promise.resolve(database.dataApi.fetch(new Request(input, init))),
    }),
    credentialsKeys,
  })
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await calls.close()
  await database?.close()
})

/** A user whose mail goes over a server that follows the script. */
async function userOf(script: SmtpScript) {
  const server = await startSmtpServer(script, certificate)
  servers.push(server)
  const userId = await calls.createUser()
  const keyring = await readKeyring(database.keys.credentialsKeys)
  const connect = async (metadata: object = {}) => {
    const id = randomUUID()
    const owner = { connectionId: id, userId, provider: 'smtp' }
    const sealed = await sealSecret(keyring, owner, { field: 'password', value: smtpPassword, version: 1 })
    const stored = await calls.call('store_connection', userId, {
      id,
      provider: 'smtp',
      label: `Work ${id}`,
      metadata: { host: '127.0.0.1', port: server.port, user: smtpUser, ...metadata },
      secrets: [sealed],
    })
    expect(stored).toMatchObject({ stored: true })
  }
  await connect()
  const token = await new SignJWT({ sub: userId, aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(database.keys.jwtSecret))
  const send = async (idempotencyKey: string, params: object = {}) => {
    const response = await app.request('/smtp-api', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'send_email', params: { ...mail, ...params }, idempotencyKey }),
    })
    return await response.json()
  }
  const rows = () => database.sql`
    select status, result from askback.tool_executions where user_id = ${userId} order by position`
  return { server, userId, connect, send, rows }
}

const mail = { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' }

describe('a mail whose outcome is unknown', () => {
  it.each([
    ['never answers', 'hang'],
    ['breaks off', 'drop'],
  ])('is never sent again under the same key when the server %s after it', async (_, action) => {
    const { server, send, rows } = await userOf({ on: { message: [action, null] } })
    const key = randomUUID()
    const first = await send(key)
    expect(first).toMatchObject({ ok: false, errorType: 'outcome_unknown', resolver: 'user' })
    expect(await send(key)).toEqual(first)
    expect(server.mails).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'unknown', result: first }])
  })

  it('is not sent again by deliveries that waited for it', async () => {
    const { server, send } = await userOf({ on: { message: ['hang', null] } })
    const key = randomUUID()
    const answers = await Promise.all([send(key), send(key), send(key)])
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, errorType: 'outcome_unknown' })
    expect(server.mails).toHaveLength(1)
  })

  it('stays unknown when the process died while it was sending', async () => {
    const { server, send, userId, rows } = await userOf({})
    const key = randomUUID()
    const started = await calls.call('begin_effect', userId, {
      deliveryId: randomUUID(),
      idempotencyKey: key,
      toolName: 'smtp_send_email',
      argumentHash: await argumentHash(mail),
      providers: ['smtp'],
    })
    expect(started).toMatchObject({ proceed: true })
    await database.sql`update askback.tool_executions set lease_expires_at = now() where user_id = ${userId}`
    expect(await send(key)).toMatchObject({ ok: false, errorType: 'outcome_unknown' })
    expect(server.mails).toEqual([])
    expect(await rows()).toMatchObject([{ status: expect.stringMatching(/running|unknown/) }])
  })
})

describe('a mail that provably was not sent', () => {
  it('may be tried again under the same key, and goes out once', async () => {
    const { server, send, rows } = await userOf({ on: { message: ['451 4.3.0 Try again later', null] } })
    const key = randomUUID()
    expect(await send(key)).toMatchObject({ ok: false, errorType: 'unavailable', resolver: 'time' })
    expect(await rows()).toMatchObject([{ status: 'failed' }])
    const sent = await send(key)
    expect(sent).toMatchObject({ ok: true, data: { accepted: ['grace@example.com'] } })
    expect(await send(key)).toEqual(sent)
    expect(server.mails.map(({ to }) => to)).toEqual([['grace@example.com'], ['grace@example.com']])
    expect((await rows()).at(-1)).toMatchObject({ status: 'succeeded', result: sent })
    const ids = server.mails.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1])
    expect(new Set(ids).size).toBe(1)
  })

  it('is failed when the server could not be reached', async () => {
    const { server, send, rows } = await userOf({})
    await server.close()
    expect(await send(randomUUID())).toMatchObject({ ok: false, errorType: 'unavailable', resolver: 'time' })
    expect(await rows()).toMatchObject([{ status: 'failed' }])
  })

  it('is failed when an address cannot be used', async () => {
    const { server, send, rows } = await userOf({
      recipients: { 'grace@example.com': '550 5.1.1 No such user' },
    })
    expect(await send(randomUUID())).toMatchObject({
      ok: false,
      errorType: 'invalid_value',
      resolver: 'user',
      details: { parameter: 'to[0]', value: 'grace@example.com' },
    })
    expect(await rows()).toMatchObject([{ status: 'failed' }])
    expect(server.mails).toEqual([])
  })
})

it('a mail that some recipients refuse has succeeded, and says who got nothing', async () => {
  const { server, send, rows } = await userOf({ recipients: { 'b@example.com': '550 5.1.1 No such user' } })
  const key = randomUUID()
  const params = { to: ['a@example.com', 'b@example.com'] }
  const result = await send(key, params)
  expect(result).toMatchObject({
    ok: true,
    data: {
      accepted: ['a@example.com'],
      refused: [{ address: 'b@example.com', reason: 'No such user' }],
      warning: expect.stringMatching(
        /^The mail server refused b@example\.com; everybody else got the email\./,
      ),
    },
  })
  expect(await send(key, params)).toEqual(result)
  expect(server.mails).toHaveLength(1)
  expect(await rows()).toMatchObject([{ status: 'succeeded' }])
})

it('a password that the server repeats does not come through', async () => {
  const { send } = await userOf({ on: { mail: [`550 5.7.1 refused: ${smtpPassword} is not enough`] } })
  const result = await send(randomUUID())
  expect(result.ok).toBe(false)
  expect(result.error).toContain('***')
  expect(JSON.stringify(result)).not.toContain(smtpPassword)
})

describe('several accounts', () => {
  it('`from` chooses, and where it is left out the user is asked', async () => {
    const { server, connect, send } = await userOf({})
    await connect({ from: 'Ada at work <work@example.com>' })
    const asked = await send(randomUUID())
    expect(asked).toMatchObject({
      ok: false,
      resolver: 'user',
      details: { parameter: 'from', allowed: [smtpUser, 'work@example.com'] },
    })
    expect(server.mails).toEqual([])
    expect(await send(randomUUID(), { from: 'Work@example.com' })).toMatchObject({ ok: true })
    expect(server.mails.map(({ from }) => from)).toEqual(['work@example.com'])
    expect(await send(randomUUID(), { from: 'boss@example.com' })).toMatchObject({
      ok: false,
      errorType: 'invalid_value',
      resolver: 'user',
      details: { parameter: 'from' },
    })
    expect(server.mails).toHaveLength(1)
  })
})
