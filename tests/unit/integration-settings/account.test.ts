import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { sent } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { type GoogleOAuthServer, startGoogleOAuth } from '../../../support/google-oauth-server.ts'
import { createSettingsApp, type SettingsApp } from '../../../support/settings-app.ts'
import { addTestProviders } from '../../../support/test-providers.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let google: GoogleOAuthServer
let rpc: CallRpc
let app: SettingsApp
let ada: string
let email: string

beforeAll(async () => {
  await addTestProviders(database.sql)
  google = await startGoogleOAuth()
  rpc = createDatabaseRpc(db)
}, 120_000)
afterAll(() => google.close())
beforeEach(async () => {
  app = createSettingsApp(rpc, { GOOGLE_OAUTH_BASE_URL: google.url })
  email = `${crypto.randomUUID()}@example.com`
  ada = await db.createUser({ email })
  google.revoke('ada@gmail.test')
  google.requests.length = 0
})

const remove = (body: unknown = { email }) => app.call(ada, 'DELETE', '/account', body)
const revocations = () => google.requests.filter((request) => request === 'revoke')

test('an account goes when its address is typed, whatever its case', async () => {
  expect(await remove({ email: ` ${email.toUpperCase()} ` })).toMatchObject({
    status: 200,
    json: { deleted: true, notRevoked: [] },
  })
  expect(await db.call('account_refusal', ada)).toBe('unknown_user')
})

test.each<[unknown, number, string]>([
  [{}, 400, '"email" is missing. Send the address of the account'],
  [{ email: 'eve@example.com' }, 422, '"eve@example.com" is not the address of this account. Type '],
])('%j deletes nothing, and says what to type', async (body, status, words) => {
  const refused = await remove(body)
  expect(refused.status).toBe(status)
  expect(refused.json.error.message).toContain(words)
  expect(await db.call('account_refusal', ada)).toBeNull()
})

test('the token of a deleted account is refused everywhere with what to do', async () => {
  await remove()
  const id = crypto.randomUUID()
  const requests: [method: string, path: string, body?: unknown][] = [
    ['GET', '/'],
    ['GET', '/tokens'],
    ['POST', '/tokens', { name: 'Late' }],
    ['DELETE', `/tokens/${id}`],
    ['POST', '/connections', { provider: 'test-search', values: { api_key: 'k' } }],
    ['PATCH', `/connections/${id}`, { label: 'Late' }],
    ['POST', `/connections/${id}/test`],
    ['POST', '/oauth/start', { provider: 'test-mail' }],
    ['POST', '/oauth/complete', { code: 'late' }],
    ['DELETE', '/account', { email }],
  ]
  for (const [method, path, body] of requests) {
    const { status, json } = await app.call(ada, method, path, body)
    expect([method, path, status, json.error.message]).toEqual([
      method,
      path,
      401,
      'This account no longer exists. Sign in again.',
    ])
  }
})

test('a sign-in is ended at its provider, once for all that lives on it', async () => {
  await app.connect(ada, { provider: 'test-mail' })
  await app.connect(ada, { provider: 'test-docs' })
  expect((await remove()).json).toEqual({ deleted: true, notRevoked: [] })
  expect(revocations()).toHaveLength(1)
})

test('a provider that is away does not hold the account; the user is told where something is left', async () => {
  await app.connect(ada, { provider: 'test-mail' })
  const away: typeof fetch = (input, init) =>
    String(input).includes('/revoke') ? Promise.reject(new TypeError('refused')) : fetch(input, init)
  app = createSettingsApp(rpc, { GOOGLE_OAUTH_BASE_URL: google.url }, away)
  expect((await remove()).json).toEqual({ deleted: true, notRevoked: ['Testmail'] })
})

test('runs are stopped where they run, and a write that is at work is heard first', async () => {
  const chat = new DatabaseConversation(db, ada)
  const turn = await chat.postText('m1', 'Write to Ada.')
  const claim = await db.claim(turn.runId)
  const deleted = remove()
  // The stop reaches the chat function before anything is deleted.
  while (app.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(app.asked[0]?.path).toBe(`/chat/${chat.id}/stop`)
  expect(await db.call('account_refusal', ada)).toBeNull()
  await db.call('settle_invocation', ada, claim.invocationId, 'succeeded', sent, 5)
  expect((await deleted).status).toBe(200)
})

test('a write that takes long keeps the account, and the user hears why', async () => {
  await app.connect(ada, { provider: 'test-mail' })
  const chat = new DatabaseConversation(db, ada)
  const turn = await chat.postText('m1', 'Write to Ada.')
  await db.claim(turn.runId)
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  app = createSettingsApp(rpc, { GOOGLE_OAUTH_BASE_URL: google.url }, fetch, { sleep })
  const { status, json } = await remove()
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(10_000)
  expect([status, json.error.code]).toEqual([409, 'still_running'])
  expect(json.error.message).toContain('Something is still being sent for you')
  // It may need its connection.
  expect(revocations()).toEqual([])
  await db.service`update tool_executions set lease_expires_at = now() where user_id = ${ada}`
  expect((await remove()).status).toBe(200)
})
