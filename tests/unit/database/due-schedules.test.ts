import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../support/database-calls.ts'
import { parkRuns } from '../../../support/parked-runs.ts'
import { useDatabase } from '../../../support/use-database.ts'

// 10,000 schedules are due at once: 9,000 of one user, 2 of each of 500 others.

const { database, db } = useDatabase()
let busy: string
let handed: Answer[][]

/** What one request of the clock is handed out; each schedule of it is then due tomorrow. */
async function take(): Promise<Answer[]> {
  const { chain, due } = await db.call('take_due_runs', 20, null)
  expect(chain).not.toBeNull()
  await database.sql`update askback.clock set chain = null, chain_until = null`
  const ids = due.map(({ schedule }: Answer) => schedule?.id).filter(Boolean)
  await database.sql`
    update askback.schedules set next_at = now() + interval '1 day', woken_at = null where id = any (${ids})`
  return due
}

beforeAll(async () => {
  busy = await db.createUser()
  await database.sql.unsafe(`
    insert into auth.users (id, email) select gen_random_uuid(), n || '@example.com' from generate_series(1, 500) n;
    insert into askback.agents (user_id, name, instructions)
    select id, 'Agent', 'Be brief.' from auth.users u
    where not exists (select from askback.agents a where a.user_id = u.id);
    insert into askback.schedules (user_id, agent_id, message, cron, time_zone, next_at)
    select a.user_id, a.id, 'What is new?', '0 9 * * *', 'UTC',
      now() - case when a.user_id = '${busy}' then interval '1 hour' else interval '1 minute' end
    from (select distinct on (user_id) * from askback.agents) a
    cross join generate_series(1, case when a.user_id = '${busy}' then 9000 else 2 end);
    analyze;`)
})

test('every user has a turn before anybody has a second one, however much of one is due', async () => {
  handed = []
  for (let requests = 0; requests < 26; requests++) handed.push(await take())
  const users = handed.flat().map(({ userId }) => userId)
  expect(new Set(users).size).toBe(501)
  expect(users.slice(0, 501).filter((user) => user === busy)).toHaveLength(1)
  for (let requests = 0; requests < 26; requests++) handed.push(await take())
  const others = handed.flat().filter(({ userId }) => userId !== busy)
  expect(others).toHaveLength(1000)
  expect(new Set(others.map(({ schedule }) => schedule.id)).size).toBe(1000)
})

test('what one user alone has is handed out twenty at a time, oldest first', async () => {
  const alone = await take()
  expect(alone.map(({ userId }) => userId)).toEqual(Array(20).fill(busy))
})

test('what waits goes on beside all of them', async () => {
  const other = await db.createUser()
  await parkRuns(database.sql, other, 1)
  const [due] = await Promise.all([take()])
  expect(due.map(({ userId, type }) => [userId, type])).toContainEqual([other, 'wait'])
})

test('whoever may not act has no turn, and is asked about once per request at most', async () => {
  await database.sql`
    update askback.schedules set next_at = now() - interval '2 hours', woken_at = null, handed_at = null
    where user_id <> ${busy}`
  await database.sql`
    update auth.users set banned_until = now() + interval '1 day'
    where id in (select id from auth.users where id <> ${busy} order by id limit 250)`
  const banned = (await database.sql`select id from auth.users where banned_until > now()`).map(
    ({ id }) => id,
  )
  await database.sql`
    create table public.asked (user_id uuid)`
  await database.sql.unsafe(`
    alter function askback.account_refusal(uuid) rename to account_refusal_itself;
    create function askback.account_refusal(p_user_id uuid) returns text language plpgsql volatile security definer as $$
    begin
      insert into public.asked values (p_user_id);
      return askback.account_refusal_itself(p_user_id);
    end $$;`)
  const [{ users }] = (await database.sql`
    select array_agg(user_id) as users from askback_private.due_schedules(20)`) as unknown as [
    { users: string[] },
  ]
  expect(users).toHaveLength(20)
  expect(users.filter((user) => banned.includes(user))).toEqual([])
  const asked = (await database.sql`select user_id from public.asked`).map(({ user_id }) => user_id)
  expect(new Set(asked).size).toBe(asked.length)
})
