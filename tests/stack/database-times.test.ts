import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { signUp, signUpWithMail } from '../../support/chat-user.ts'
import { lockUntilReleased } from '../../support/locked-rows.ts'
import { callTool, say } from '../../support/model-server.ts'

/** Real locks, held by the superuser, with the time limits of a hosted project (8 s). */
let chat: ChatStack
let admin: postgres.Sql
beforeAll(async () => {
  chat = await startChatStack()
  admin = postgres(chat.stack.adminUrl, { onnotice: () => {} })
})
afterAll(async () => {
  await admin?.end()
  await chat?.stop()
})
beforeEach(() => chat.stack.inbox.clear())

/** Cancels what waits for a lock in a function, as its time limit does (57014); resolves to how many there were. */
async function cancelWaiting(name: string): Promise<number> {
  const rows = await admin`
    select pg_cancel_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and query like ${`%${name}%`} and pid <> pg_backend_pid()`
  return rows.length
}

const get = (token: string, path: string) =>
  fetch(`${chat.stack.url}/functions/v1/chat${path}`, { headers: { authorization: `Bearer ${token}` } })

it('a request whose time in the database is over gets 503, and when to try again', async () => {
  const user = await signUp(chat.stack)
  const lock = await lockUntilReleased(
    admin,
    (sql) => sql`lock table askback.conversations in access exclusive mode`,
  )
  const refused = await get(user.token, '/conversations')
  const { error } = await refused.json()
  expect([refused.status, error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'database_busy',
    '5',
  ])
  expect(error.message).toMatch(/^The database is busy/)
  await lock.release()
  expect((await get(user.token, '/conversations')).status).toBe(200)
}, 60_000)

it('a message whose first try was cancelled is stored and answered once', async () => {
  const user = await signUp(chat.stack)
  chat.model.use([say('Hello.')])
  const lock = await lockUntilReleased(
    admin,
    (sql) => sql`lock table askback.conversations in access exclusive mode`,
  )
  const answer = user.post({ id: 'cancelled', message: 'Hi' })
  await vi.waitUntil(async () => (await cancelWaiting('begin_turn')) > 0, { timeout: 30_000 })
  await lock.release()
  expect(await answer).toMatchObject({ status: 200, answer: { status: 'completed', text: 'Hello.' } })
  const [counted] = await admin`
    select (select count(*)::int from askback.messages where user_id = ${user.id} and role = 'user') as messages,
      (select count(*)::int from askback.runs where user_id = ${user.id}) as runs`
  expect(counted).toEqual({ messages: 1, runs: 1 })
})

it('a claim that timed out is looked up, and its run goes on and sends once', async () => {
  const user = await signUpWithMail(chat.stack, 'never')
  const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
  let lock: Awaited<ReturnType<typeof lockUntilReleased>> | undefined
  chat.model.use(async () => {
    if (lock !== undefined) return say('It is sent.')
    lock = await lockUntilReleased(
      admin,
      (sql) => sql`select 1 from askback.runs where user_id = ${user.id} for update`,
    )
    return callTool('smtp_send_email', mail)
  })
  const before = chat.stack.output().length
  const answer = user.post({ id: 'claimed', message: 'Say hello to ada@example.com' })
  const cancelled = vi.waitUntil(
    async () => {
      await cancelWaiting('claim_invocation')
      return chat.stack.output().slice(before).includes('"claim-looked-up"')
    },
    { timeout: 30_000, interval: 50 },
  )
  // Without a look the run is over.
  await Promise.race([cancelled, answer])
  await lock?.release()
  expect(await answer).toMatchObject({ status: 200, answer: { status: 'completed', text: 'It is sent.' } })
  await cancelled
  expect(await chat.stack.inbox.messages()).toHaveLength(1)
  const rows = await admin`select status from askback.tool_executions where user_id = ${user.id}`
  expect(rows).toEqual([{ status: 'succeeded' }])
}, 90_000)
