import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { checkHealth } from '../../shared/api/run.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { version } from '../../shared/server/version.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { expireLeases, signUp, withDatabase } from '../../support/chat-user.ts'
import { say } from '../../support/model-server.ts'
import { parkRuns } from '../../support/parked-runs.ts'
import { pidOf } from '../../support/pid-of.ts'
import { blocksUnder } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())

/** A request as pg_cron sends it. */
const tick = async () =>
  fetch(`${chat.stack.url}/functions/v1/chat/clock`, {
    method: 'POST',
    headers: { [clockHeader]: await signClock(readKeys(chat.stack.dataDirectory).functionSecret) },
  })

it('one request of the clock begins 200 due runs of many users, each once', async () => {
  chat.model.use(() => say('Nothing was found.'))
  const users = await Promise.all(Array.from({ length: 8 }, () => signUp(chat.stack)))
  await withDatabase(chat.stack, async (sql) => {
    for (const { id } of users) await parkRuns(sql, id, 25)
  })
  const began = async () =>
    await withDatabase(
      chat.stack,
      (sql) => sql`
        select user_id, conversation_id, count(*)::int as runs from askback.runs
        where resumed_run_id is not null group by 1, 2`,
    )
  // Two clocks at once, and one that comes while a chain goes on, double nothing.
  await Promise.all([tick(), tick()])
  expect((await tick()).status).toBe(202)
  await expect.poll(async () => (await began()).length, { timeout: 100_000 }).toBe(200)
  const ended = () =>
    withDatabase(
      chat.stack,
      (sql) =>
        sql`select status, count(*)::int from askback.runs where resumed_run_id is not null group by 1`,
    )
  await expect.poll(ended, { timeout: 40_000 }).toEqual([{ status: 'completed', count: 200 }])
  expect((await began()).filter(({ runs }) => runs !== 1)).toEqual([])
}, 240_000)

it('a chain whose process is killed goes on with the next tick, and every run comes to its end', async () => {
  chat.model.use(() => say('Nothing was found.'))
  const user = await signUp(chat.stack)
  await withDatabase(chat.stack, (sql) => parkRuns(sql, user.id, 100))
  const count = (condition: string) =>
    withDatabase(chat.stack, async (sql) => {
      const [row] = await sql.unsafe(
        `select count(distinct conversation_id)::int as count from askback.runs
         where user_id = '${user.id}' and resumed_run_id is not null and ${condition}`,
      )
      return row?.count
    })
  await tick()
  await expect.poll(() => count('true'), { timeout: 60_000 }).toBeGreaterThan(20)
  process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
  await expect.poll(() => chat.stack.pids().chat).toBeUndefined()
  expect(await count("status = 'completed'")).toBeLessThan(100)
  // Time goes by: leases end, and the clock comes.
  await expireLeases(chat.stack, user.id)
  await withDatabase(
    chat.stack,
    (sql) => sql`
      with chain as (update askback.clock set chain_until = now() - interval '1 second')
      update askback.woken_items set woken_at = woken_at - interval '30 seconds'`,
  )
  // What was just being begun has a lease of its own, and is found by a later tick.
  const ticked = async () => {
    await tick()
    return await count("status = 'completed'")
  }
  await expect.poll(ticked, { timeout: 100_000, interval: 1000 }).toBe(100)
}, 200_000)

it('tells operators the state of the clock along with the health of the service, and nobody else', async () => {
  const [operator, other] = [await signUp(chat.stack), await signUp(chat.stack)]
  await withDatabase(
    chat.stack,
    (sql) => sql`insert into askback.operators (user_id) values (${operator.id})`,
  )
  const health = async (authorization?: string) => {
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const response = await fetch(`${chat.stack.url}/functions/v1/chat/health`, { headers })
    return { status: response.status, body: await response.json() }
  }
  await tick()
  const plain = { status: 200, body: { status: 'ok', version } }
  expect(await health()).toEqual(plain)
  expect(await health(`Bearer ${other.token}`)).toEqual(plain)
  expect(await health('Bearer of-a-monitor')).toEqual(plain)
  const { body } = await health(`Bearer ${operator.token}`)
  expect(body).toEqual({
    ...plain.body,
    clock: { tickedAt: null, cameAt: expect.stringMatching(/^20/), status: null, trouble: null },
  })
  expect(checkHealth.answer().safeParse(body).error).toBeUndefined()
})

it('is called by the lines of the docs, where there is no pg_cron', async () => {
  const page = readFileSync(join(project, 'docs/settings.md'), 'utf8')
  const lines = blocksUnder(page, 'The clock')[0]?.text ?? ''
  const { stdout } = await promisify(execFile)('bash', ['-c', lines], {
    env: {
      PATH: process.env.PATH,
      SUPABASE_URL: chat.stack.url,
      ASKBACK_FUNCTION_SECRET: readKeys(chat.stack.dataDirectory).functionSecret,
    },
  })
  expect(JSON.parse(stdout)).toEqual({ resumed: 0 })
})
