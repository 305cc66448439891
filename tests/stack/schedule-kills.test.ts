import { describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import type { Schedule } from '../../shared/api/schedule.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, expireLeases, signUpWithMail, withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

// The process of a schedule is killed wherever it waits for the database, while two clocks call: one run, one mail.

const chat = useStarted(() => startChatStack())

const mail = callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' })

const only = async (user: ChatUser): Promise<Schedule> =>
  ((await user.get('/schedules')).body as { schedules: [Schedule] }).schedules[0]
const call = async (url: string) => {
  const secret = readKeys(chat.stack.dataDirectory).functionSecret
  return fetch(`${url}/clock`, { method: 'POST', headers: { [clockHeader]: await signClock(secret) } })
}
const tick = () => call(`${chat.stack.url}/functions/v1/chat`)
/** 20 seconds go by. */
const goBy = (user: ChatUser) =>
  withDatabase(chat.stack, async (sql) => {
    await sql`update askback.schedules set woken_at = null where user_id = ${user.id}`
    await sql`update askback.clock set chain = null, chain_until = null`
  })

/** A user whose schedule sends a mail, and is due. */
async function due(): Promise<ChatUser> {
  await chat.stack.inbox.clear()
  const user = await signUpWithMail(chat.stack, 'never')
  chat.model.use(({ body }) => (body.messages.at(-1)?.role === 'tool' ? say('Sent.') : mail))
  const made = await user.send('POST', '/schedules', {
    message: 'Say hello to ada@example.com',
    cron: '0 9 * * *',
    timeZone: 'UTC',
  })
  expect(made.status).toBe(201)
  await withDatabase(
    chat.stack,
    (sql) =>
      sql`update askback.schedules set next_at = date_trunc('second', now()) where user_id = ${user.id}`,
  )
  return user
}

async function expectOnce(user: ChatUser): Promise<void> {
  const begun = async () => {
    await goBy(user)
    await tick()
    return (await only(user)).history.map(({ outcome, status }) => `${outcome} ${status}`)
  }
  await expect.poll(begun, { timeout: 60_000 }).toEqual(['begun completed'])
  expect(await chat.stack.inbox.messages()).toHaveLength(1)
  const { nextAt, pausedAs } = await only(user)
  expect(pausedAs).toBeNull()
  expect(Date.parse(nextAt ?? '')).toBeGreaterThan(Date.now())
  const messages = await withDatabase(
    chat.stack,
    (sql) => sql`select 1 from askback.messages where user_id = ${user.id} and role = 'user'`,
  )
  expect(messages).toHaveLength(1)
}

describe('one run and one mail, where the process is killed once the database has', () => {
  it.each([
    'take_due_runs',
    'judge_schedule_time',
    'begin_turn',
    'note_schedule_time',
    'claim_invocation',
    'finish_run',
    'pause_failing_schedule',
  ])('answered %s', async (place) => {
    const user = await due()
    const proxy = await startPausingProxy(chat.stack.url)
    const ending = new AbortController()
    const killed = await startChatProcess(chat, ending.signal, proxy.url)
    const pause = proxy.pauseNext(`/rpc/${place}`)
    const calls = [call(killed.url.replace(/\/v1$/, '')), pause.answered.then(tick)]
    await pause.answered
    process.kill(killed.pid, 'SIGKILL')
    await Promise.allSettled(calls)
    ending.abort()
    await proxy.close()
    await expireLeases(chat.stack, user.id)
    await expectOnce(user)
  })
})

it('one run and one mail, where four clocks come at once', async () => {
  const user = await due()
  await Promise.all([tick(), tick(), tick(), tick()])
  await expectOnce(user)
})
