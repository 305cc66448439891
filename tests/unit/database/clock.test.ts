import { createHmac, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clockHeader, requireClock } from '../../../shared/server/authentication/clock-signature.ts'
import { type Answer, connectAs, numbered, question, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { parkRuns } from '../../../support/parked-runs.ts'
import { clockSecrets, pgNet, vault } from '../../../support/supabase-parts.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
const secret = 'the-function-secret'
const url = 'https://project.supabase.co/functions/v1/assistant'

beforeEach(async () => {
  await database.sql.unsafe(`
    drop schema if exists vault cascade;
    drop schema if exists net cascade;
    delete from auth.users;
    update askback.clock set ticked_at = null, called_at = null, request_id = null, came_at = null, trouble = null,
      status = null, chain = null, chain_until = null;`)
})

const supabase = () => database.sql.unsafe(vault + pgNet + clockSecrets(url, secret))
/** The job runs; answers what pg_net has queued since the beginning. */
const tick = async (): Promise<Answer[]> => {
  await database.sql`select askback.wake_chat()`
  const [net] = await database.sql`select to_regclass('net.http_request_queue') is not null as there`
  return net?.there ? await database.sql`select * from net.http_request_queue order by id` : []
}
const state = () => db.call('clock_state')
const come = () => db.call('take_due_runs', 20, null)
const answer = (facts: object) =>
  database.sql`insert into net._http_response ${database.sql({ id: 1, timed_out: false, ...facts })}`

test('the request of the clock carries a signature of its time, and no secret', async () => {
  await supabase()
  await parkRuns(database.sql, await db.createUser(), 1)
  const [request] = await tick()
  expect(request).toMatchObject({ method: 'POST', url: `${url}/clock` })
  const readers = connectAs(database.url, 'authenticated')
  const [seen] = await readers`select queued::text as row from net.http_request_queue queued`
  await readers.end()
  expect(seen?.row).not.toContain(secret)
  const headers = { [clockHeader]: request?.headers[clockHeader] }
  const sent = new Request(request?.url, { method: 'POST', headers })
  await requireClock(sent, secret)
  await expect(requireClock(sent, 'another-secret')).rejects.toMatchObject({ code: 'unauthorized' })
  await requireClock(sent, secret, Date.now() + 58_000)
  await expect(requireClock(sent, secret, Date.now() + 62_000)).rejects.toMatchObject({
    code: 'unauthorized',
  })
  await expect(requireClock(sent, secret, Date.now() - 62_000)).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

test('the database signs like everybody, whatever the length of the secret', async () => {
  for (const key of ['a', 'schlüssel', 'k'.repeat(63), 'k'.repeat(64), 'k'.repeat(65), 'ü'.repeat(100)]) {
    const [row] =
      await database.sql`select askback_private.hmac_sha256(${key}, 'askback-clock:1790000000') as mac`
    expect(row?.mac).toBe(createHmac('sha256', key).update('askback-clock:1790000000').digest('hex'))
  }
})

describe('when the clock calls', () => {
  test('at once if something is due, else once an hour, and every minute until a call has come', async () => {
    await supabase()
    const ago = (interval: string) => database.sql`
      update askback.clock set called_at = called_at - ${interval}::interval, came_at = came_at - ${interval}::interval`
    expect(await tick()).toHaveLength(1)
    expect(await tick()).toHaveLength(1)
    await ago('61 seconds')
    expect(await tick()).toHaveLength(2)
    await come()
    await ago('59 minutes')
    expect(await tick()).toHaveLength(2)
    await ago('2 minutes')
    expect(await tick()).toHaveLength(3)
    await come()
    expect(await tick()).toHaveLength(3)
    await parkRuns(database.sql, await db.createUser(), 1)
    expect(await tick()).toHaveLength(4)
  })
})

describe('the state of the clock', () => {
  /** Each state, and what makes it. */
  const states: [trouble: string | null, make: () => Promise<unknown>][] = [
    ['never', async () => {}],
    ['no_vault', async () => await tick()],
    ['no_pg_net', async () => [await database.sql.unsafe(vault + clockSecrets(url, secret)), await tick()]],
    ['no_url', async () => [await database.sql.unsafe(vault + pgNet), await tick()]],
    [
      'no_secret',
      async () => [
        await supabase(),
        await database.sql`delete from vault.secrets where name = 'askback_function_secret'`,
        await tick(),
      ],
    ],
    [
      'refused',
      async () => [await supabase(), await tick(), await answer({ status_code: 401 }), await tick()],
    ],
    [
      'not_found',
      async () => [await supabase(), await tick(), await answer({ status_code: 404 }), await tick()],
    ],
    [
      'failed',
      async () => [await supabase(), await tick(), await answer({ status_code: 503 }), await tick()],
    ],
    [
      'no_answer',
      async () => [
        await supabase(),
        await tick(),
        await answer({ timed_out: true, error_msg: 'Timeout of 5000 ms reached' }),
        await tick(),
      ],
    ],
    [
      'silent',
      async () => [
        await supabase(),
        await tick(),
        await database.sql`update askback.clock set called_at = called_at - interval '2 minutes'`,
      ],
    ],
    [
      'stopped',
      async () => [
        await supabase(),
        await tick(),
        await come(),
        await database.sql`
          update askback.clock set ticked_at = now() - interval '1 day', came_at = now() - interval '1 day'`,
      ],
    ],
    [null, async () => [await supabase(), await tick(), await come(), await answer({ status_code: 202 })]],
    // It came, but the function took longer to start than pg_net waits.
    [
      null,
      async () => [
        await supabase(),
        await tick(),
        await come(),
        await answer({ timed_out: true }),
        await tick(),
      ],
    ],
    // Something else than pg_cron calls the function.
    [null, async () => await come()],
  ]
  test.each(states)('%s', async (trouble, make) => {
    await make()
    expect((await state()).trouble).toBe(trouble)
  })

  test('what was wrong is forgotten once it is right', async () => {
    await database.sql.unsafe(vault + pgNet)
    await tick()
    await database.sql.unsafe(clockSecrets(url, secret))
    await tick()
    expect((await state()).trouble).toBeNull()
    await answer({ status_code: 401 })
    await tick()
    expect(await state()).toMatchObject({ trouble: 'refused', status: 401 })
    await database.sql`update askback.clock set called_at = called_at - interval '2 minutes'`
    await tick()
    await come()
    expect((await state()).trouble).toBeNull()
    await database.sql`insert into net._http_response (id, status_code, timed_out) values (2, 202, false)`
    await tick()
    expect(await state()).toMatchObject({ trouble: null, status: 202 })
  })

  test('answers that were seen are not kept', async () => {
    await supabase()
    await tick()
    await database.sql`insert into net._http_response (id, status_code) values (1, 202), (77, 200)`
    await tick()
    expect(await database.sql`select id from net._http_response`).toEqual([{ id: '77' }])
  })
})

describe('what is handed out', () => {
  const owners = (taken: Answer): string[] => taken.due.map((one: Answer) => one.userId)
  const places = (taken: Answer): string[] =>
    taken.due.map((one: Answer) => `${one.userId} ${one.conversationId}`)

  test("one user's many do not keep another's one waiting", async () => {
    const [many, one] = [await db.createUser(), await db.createUser()]
    await parkRuns(database.sql, many, 200)
    await parkRuns(database.sql, one, 1)
    const taken = await come()
    expect(taken.due).toHaveLength(20)
    expect(owners(taken)).toContain(one)
    expect(taken.chain).toEqual(expect.any(String))
  })

  test('a chain hands out everything once, twenty at a time, and then ends', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => db.createUser()))
    for (const user of users) await parkRuns(database.sql, user, 15)
    const seen: string[] = []
    let taken = await come()
    for (; taken.chain; taken = await db.call('take_due_runs', 20, taken.chain)) {
      expect(taken.due).toHaveLength(20)
      seen.push(...places(taken))
    }
    expect(taken).toEqual({ chain: null, due: [] })
    expect(new Set(seen).size).toBe(60)
    expect(seen).toHaveLength(60)
  })

  test('of two clocks at once, one goes on', async () => {
    await parkRuns(database.sql, await db.createUser(), 60)
    const taken = await Promise.all([come(), come(), come(), come()])
    expect(taken.filter(({ chain }) => chain)).toHaveLength(1)
    expect(taken.flatMap(places)).toHaveLength(20)
    // And while it goes on, the next tick starts no other.
    expect(await come()).toEqual({ chain: null, due: [] })
    const { chain } = taken.find((one) => one.chain)
    expect(places(await db.call('take_due_runs', 20, chain))).toHaveLength(20)
  })

  test('a chain whose process died is taken over', async () => {
    await parkRuns(database.sql, await db.createUser(), 60)
    const first = await come()
    await database.sql`update askback.clock set chain_until = now() - interval '1 second'`
    const second = await come()
    expect(second.chain).not.toBe(first.chain)
    expect(new Set([...places(first), ...places(second)]).size).toBe(40)
    expect(await db.call('take_due_runs', 20, first.chain)).toEqual({ chain: null, due: [] })
  })

  test('what was tried is due again later, after what was not', async () => {
    const user = await db.createUser()
    await parkRuns(database.sql, user, 21)
    const first = await come()
    await database.sql`
      update askback.woken_items set woken_at = woken_at - interval '30 seconds'`
    const [next] = places(await db.call('take_due_runs', 20, first.chain))
    expect(places(first)).not.toContain(next)
    expect(places(first)).toHaveLength(20)
  })
})

describe('a card for an account that was connected while its run worked', () => {
  let chat: DatabaseConversation
  beforeEach(async () => {
    chat = new DatabaseConversation(db, await db.createUser())
  })
  const connect = (user = chat.user, provider = 'smtp') =>
    db.call('store_connection', user, {
      id: randomUUID(),
      provider,
      account: 'ada@example.com',
      metadata: {},
      secrets: [{ field: 'password', ciphertext: 'x', keyId: 'k1', version: 1 }],
    })
  /** A run that asks for an account at its end; `meanwhile` happens while it works. */
  const ask = async (meanwhile?: () => Promise<unknown>) => {
    const { runId } = await chat.post({ messages: [userMessage('m-1', 'Send it.')] })
    await meanwhile?.()
    const item = question({ kind: 'connection' })
    await db.finish(runId, { status: 'needs_connection', entries: numbered([item]) })
    return item.itemId
  }
  const due = async () => (await come()).due.map((one: Answer) => [one.type, one.itemId])

  test('goes on, once: nobody who connected it could find the card', async () => {
    const itemId = await ask(connect)
    expect(await due()).toEqual([['connection', itemId]])
    const answer = { runId: randomUUID(), type: 'connection', itemId }
    const { runId } = await db.begin('begin_resume', chat.user, chat.id, answer)
    // Something else is missing, such as a permission: the card stays.
    await db.finish(runId, { status: 'needs_connection', entries: [] })
    await database.sql`delete from askback.woken_items`
    expect(await due()).toEqual([])
  })

  test('is left to the settings where it was there before, and to its user where nothing was connected', async () => {
    await connect()
    await ask()
    expect(await due()).toEqual([])
    await connect(await db.createUser())
    await connect(chat.user, 'gmail')
    expect(await due()).toEqual([])
  })

  test.each([
    ['of another provider', () => connect(chat.user, 'gmail')],
    ['of somebody else', async () => connect(await db.createUser())],
    [
      'that is disabled',
      async () => {
        const { connectionId } = await connect()
        await database.sql`update askback.connections set status = 'disabled' where id = ${connectionId}`
      },
    ],
  ])('does not go on with one %s', async (_, meanwhile) => {
    await ask(meanwhile)
    expect(await due()).toEqual([])
  })
})

test('only the service role and the job use the clock', async () => {
  const users = connectAs(database.url, 'authenticated', await db.createUser())
  for (const statement of [
    'select * from clock',
    'select * from woken_items',
    'select take_due_runs(1)',
    'select clock_state()',
    "select askback_private.hmac_sha256('a', 'b')",
  ]) {
    await expect(users.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
  }
  await users.end()
})

test('without pg_cron and pg_net there is no job and no trace of one', async () => {
  const [row] = await database.sql`
    select count(*)::int as count from pg_available_extensions where name in ('pg_cron', 'pg_net')`
  expect(row?.count).toBeLessThan(2)
  expect(await database.sql`select 1 from pg_namespace where nspname = 'cron'`).toHaveLength(0)
})
