import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../support/database-calls.ts'
import { useDatabase } from '../../../support/use-database.ts'

// Digests of 10,000 users are due at once: of one user about 5,000 items, of each other about one. 500 of them have no
// address that is confirmed, and 500 have only what a group decides: these have waited longest.

const { database, db } = useDatabase()
let busy: string
const many = 10_000
const confirmed = many - 1000

/** What one request of the clock is handed out; all of it is sent. */
async function take(limit = 20): Promise<Answer[]> {
  const { digests } = await db.call('take_digests', limit)
  const ids = digests.map(({ id }: Answer) => id)
  await database.sql`update askback.digests set next_at = null where id = any (${ids})`
  return digests
}

beforeAll(async () => {
  busy = await db.createUser()
  await database.sql.unsafe(`
    set session_replication_role = replica;
    create table public.people as
    select case when n = 1001 then '${busy}'::uuid else gen_random_uuid() end as id, n from generate_series(1, ${many}) n;
    delete from auth.users where id = '${busy}';
    insert into auth.users (id, email, email_confirmed_at)
    select id, n || '@example.com', case when n > 500 then now() end from public.people;
    insert into askback.groups (id, name) values (md5('group')::uuid, 'Finance');
    insert into askback.tool_approvers (tool_name, who, group_id) values ('pay', 'group', md5('group')::uuid);
    insert into askback.conversations (user_id, id) select id, 'c0' from public.people;
    insert into askback.messages (user_id, conversation_id, id, turn_id, role)
    select id, 'c0', 'answer', id, 'assistant' from public.people;
    insert into askback.runs
      (id, user_id, conversation_id, turn_id, message_id, root_run_id, status, request_hash, lease_expires_at)
    select id, id, 'c0', id, 'answer', id, 'needs_approval', 'hash', now() from public.people;
    insert into askback.open_items
      (user_id, conversation_id, id, message_id, run_id, turn_id, kind, intent, tool_call_id, tool_name, asked_at)
    select p.id, 'c' || k / 20, 'item-' || k, 'answer', p.id, p.id, 'approval', k, 'call',
      case when p.n between 501 and 1000 then 'pay' else 'smtp_send_email' end,
      now() - interval '2 days' + p.n * interval '1 second'
    from public.people p
    cross join lateral generate_series(1, case when p.n = 1001 then 5000 else 1 end) k;
    set session_replication_role = origin;
    insert into askback.bell_key (modulus, sealed) values (repeat('f', 512), 'sealed:');
    insert into askback.on_open (url, secret, digests) values ('https://app.example.com/mail', 'a secret', true);
    insert into askback.digest_settings (user_id, minutes) select id, 60 from public.people;
    analyze;`)
}, 120_000)

test('each user has one digest, whoever has waited longest first, twenty at a time', {
  timeout: 300_000,
}, async () => {
  const order = (await database.sql`select id from public.people where n > 1000 order by n`).map(
    ({ id }) => id,
  )
  const taken: Answer[] = []
  const times: number[] = []
  for (let requests = 0; requests < 12; requests++) {
    const begun = performance.now()
    taken.push(...(await take()))
    times.push(performance.now() - begun)
  }
  expect(taken.map(({ userId }) => userId).sort()).toEqual(order.slice(0, 240).sort())
  expect(
    taken
      .slice(0, 20)
      .map(({ userId }) => userId)
      .sort(),
  ).toEqual(order.slice(0, 20).sort())
  const most = taken.find(({ userId }) => userId === busy)
  expect(most?.items).toHaveLength(20)
  expect(await db.call('begin_digest', most?.id, 1)).toHaveLength(5000)
  // Beyond 8 s the Data API stops a statement.
  expect(Math.max(...times)).toBeLessThan(4000)
})

test('two clocks at once hand out none twice', async () => {
  const both = (await Promise.all([take(), take(), take()])).flat().map(({ userId }) => userId)
  expect(new Set(both).size).toBe(both.length)
})

test('the clock asks in a moment whether a digest is due', async () => {
  const begun = performance.now()
  const [row] = await database.sql`select askback_private.is_digest_due() as due`
  expect(row?.due).toBe(true)
  expect(performance.now() - begun).toBeLessThan(4000)
})

test('nobody is left out', { timeout: 300_000 }, async () => {
  for (let requests = 0; requests < 10 && (await take(2000)).length > 0; requests++);
  const [row] = await database.sql`
    select count(*)::integer as digests, count(distinct user_id)::integer as users from askback.digests`
  expect(row).toEqual({ digests: confirmed, users: confirmed })
})
