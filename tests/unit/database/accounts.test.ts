import { beforeEach, describe, expect, test } from 'vitest'
import { connectAs, sent } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
let chat: DatabaseConversation

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
})

const exists = async () => (await db.call('account_refusal', chat.user)) === null
const stop = () => db.call('stop_account', chat.user)
const remove = () => db.call('delete_account', chat.user)

/** Tables of ours by what happens to their rows when the row that they refer to is deleted. */
const tablesOfUsers = async () => {
  const rows = await database.sql`
    with recursive gone as (
      select 'auth.users'::regclass::oid as id
      union
      select conrelid from pg_constraint join gone on confrelid = gone.id
      where contype = 'f' and confdeltype = 'c'
    )
    select c.relname as name,
      c.oid in (select id from gone)
        -- What operators did stays, and names nobody any more.
        or (select bool_and(confdeltype = 'n') from pg_constraint where contype = 'f' and conrelid = c.oid) as goes,
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname ~ '(^|_)user_id$' and not a.attisdropped)
        or exists (
          select 1 from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid in (select id from gone)
        ) as of_users
    from pg_class c
    where c.relnamespace = 'askback'::regnamespace and c.relkind in ('r', 'p')`
  return rows.filter((row) => row.of_users) as unknown as { name: string; goes: boolean }[]
}

test('every table with something of a user’s goes with the user', async () => {
  const tables = await tablesOfUsers()
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['conversations', 'entries', 'connection_secrets', 'api_tokens', 'oauth_grants']),
  )
  expect(tables.filter(({ goes }) => !goes).map(({ name }) => name)).toEqual([])
})

test('a deleted account leaves no row, and another one keeps all of its own', async () => {
  const other = new DatabaseConversation(db, await db.createUser())
  for (const one of [chat, other]) {
    await one.exchangeWithMail('m1', 'Write to Ada.')
    await one.awaitApproval('m2')
    const connection = { id: crypto.randomUUID(), provider: 'smtp', label: 'Work', secrets: [] }
    await db.call('store_connection', one.user, connection)
  }
  const count = async (user: string) => {
    const tables = [
      'agents',
      'connections',
      'conversations',
      'entries',
      'messages',
      'runs',
      'tool_executions',
    ]
    const counts = await Promise.all(
      tables.map((table) => db.service`select 1 from ${db.service(table)} where user_id = ${user}`),
    )
    return counts.map((rows) => rows.length)
  }
  const kept = await count(other.user)
  expect(kept).not.toContain(0)
  expect(await remove()).toEqual({ deleted: true })
  expect(await count(chat.user)).toEqual(kept.map(() => 0))
  expect(await count(other.user)).toEqual(kept)
  expect(await database.sql`select 1 from auth.users where id = ${chat.user}`).toEqual([])
  expect(await exists()).toBe(false)
  expect(await remove()).toEqual({ deleted: true })
})

test('a write that runs is waited for, and nothing new can begin meanwhile', async () => {
  const turn = await chat.postText('m1', 'Write to Ada.')
  const claim = await db.claim(turn.runId)
  expect(await stop()).toEqual({ running: [chat.id], writing: true })
  expect(await remove()).toEqual({ deleted: false })
  expect(await exists()).toBe(true)
  expect(await db.claim(turn.runId, { arguments: { to: ['bob@example.com'] } })).toMatchObject({
    claimed: false,
    status: 'stopped',
  })
  await db.call('settle_invocation', chat.user, claim.invocationId, 'succeeded', sent, 5)
  expect(await stop()).toEqual({ running: [chat.id], writing: false })
  expect(await remove()).toEqual({ deleted: true })
})

test('a write whose function died holds an account no longer than its lease', async () => {
  const turn = await chat.postText('m1', 'Write to Ada.')
  await db.claim(turn.runId)
  await db.service`update tool_executions set lease_expires_at = now() where user_id = ${chat.user}`
  expect(await remove()).toEqual({ deleted: true })
})

test('what comes late stores nothing and makes nobody anew', async () => {
  const turn = await chat.postText('m1', 'Write to Ada.')
  await remove()
  expect(await db.call('heartbeat_run', turn.runId, 15)).toMatchObject({ stopRequested: true, isOver: true })
  expect(await db.finish(turn.runId)).toEqual({ status: null, pending: [] })
  expect(await db.claim(turn.runId)).toMatchObject({ claimed: false, status: 'stopped' })
  const gone = { code: 'ASK01', message: 'unknown_user' }
  await expect(chat.postText('m2', 'Hello?')).rejects.toMatchObject(gone)
  await expect(chat.post({})).rejects.toMatchObject(gone)
  const answer = { runId: crypto.randomUUID(), type: 'resume' }
  await expect(db.call('begin_resume', chat.user, chat.id, answer)).rejects.toMatchObject(gone)
  await expect(
    db.call('store_connection', chat.user, { id: crypto.randomUUID(), provider: 'smtp' }),
  ).rejects.toMatchObject({ code: '23503', message: expect.stringContaining('connections_user_id_fkey') })
  const effect = {
    deliveryId: crypto.randomUUID(),
    toolName: 'smtp_send_email',
    arguments: {},
    argumentHash: 'h',
    providers: ['smtp'],
  }
  await expect(db.call('begin_effect', chat.user, effect)).rejects.toMatchObject(gone)
})

test('an account that Supabase Auth keeps as deleted does not exist', async () => {
  expect(await exists()).toBe(true)
  await database.sql`update auth.users set deleted_at = now() where id = ${chat.user}`
  expect(await exists()).toBe(false)
})

describe('an account that was banned', () => {
  const ban = () =>
    database.sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${chat.user}`
  const lift = () => database.sql`update auth.users set banned_until = null where id = ${chat.user}`

  test('is no operator any more, and is one again once the ban is lifted', async () => {
    await database.sql`insert into askback.operators (user_id) values (${chat.user})`
    const isOperator = () => db.call('is_operator', chat.user)
    expect(await isOperator()).toBe(true)
    await ban()
    expect(await isOperator()).toBe(false)
    await lift()
    expect(await isOperator()).toBe(true)
  })
  const disabled = { code: 'ASK02', message: 'account_disabled' }
  const effectOf = (key?: string) => ({
    deliveryId: crypto.randomUUID(),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    toolName: 'smtp_send_email',
    arguments: {},
    argumentHash: 'h',
    providers: ['smtp'],
  })

  test('claims nothing, and writes nothing of its own', async () => {
    const turn = await chat.postText('m1', 'Write to Ada.')
    await ban()
    expect(await db.claim(turn.runId)).toEqual({ claimed: false, status: 'account_disabled' })
    await expect(db.call('begin_effect', chat.user, effectOf())).rejects.toMatchObject(disabled)
    await lift()
    expect(await db.claim(turn.runId)).toMatchObject({ claimed: true })
  })

  test('has a write that was claimed carried out and settled', async () => {
    const turn = await chat.postText('m1', 'Write to Ada.')
    const { invocationId, idempotencyKey } = await db.claim(turn.runId, { argumentHash: 'h' })
    await ban()
    expect(await db.call('begin_effect', chat.user, effectOf(idempotencyKey))).toMatchObject({
      proceed: true,
    })
    expect(await db.settle(chat.user, invocationId, 'succeeded', { ok: true })).toMatchObject({
      status: 'succeeded',
    })
    // A delivery that provably failed would begin anew.
    await database.sql`update askback.tool_executions set status = 'failed', closed = false where id = ${invocationId}`
    await expect(db.call('begin_effect', chat.user, effectOf(idempotencyKey))).rejects.toMatchObject(disabled)
    await lift()
  })

  test('can make a decision again that the ban interrupted, and the write is done once', async () => {
    await chat.awaitApproval('m1')
    const decide = (runId: string) =>
      db.call('begin_resume', chat.user, chat.id, {
        runId,
        type: 'approval',
        itemId: 'call-1.asked',
        toolCallId: 'call-1',
        decision: 'approve',
      })
    const [interrupted, again] = [crypto.randomUUID(), crypto.randomUUID()]
    await decide(interrupted)
    await ban()
    expect(await db.claim(interrupted)).toMatchObject({ status: 'account_disabled' })
    await db.call('finish_run', interrupted, { status: 'interrupted', entries: [], invocations: [] })
    await expect(decide(again)).rejects.toMatchObject(disabled)
    await lift()
    expect((await chat.page()).pending).toMatchObject([{ itemId: 'call-1.asked' }])
    expect(await decide(again)).toMatchObject({ runId: again })
    expect(await db.claim(again)).toMatchObject({ claimed: true })
    expect(await db.claim(interrupted)).toMatchObject({ claimed: false, status: 'stopped' })
  })

  test('is asked about once the ban is over by itself', async () => {
    await database.sql`update auth.users set banned_until = now() - interval '1 second' where id = ${chat.user}`
    expect(await exists()).toBe(true)
  })
})

test('an anonymous account may act unless the settings say no, and for good once it has an address', async () => {
  const rules = (anonymous: boolean) => db.call('keep_rules', { anonymous, requireAal2: false })
  await database.sql`update auth.users set is_anonymous = true where id = ${chat.user}`
  expect(await db.call('account_refusal', chat.user)).toBeNull()
  await rules(false)
  expect(await db.call('account_refusal', chat.user)).toBe('anonymous_refused')
  await database.sql`update auth.users set is_anonymous = false where id = ${chat.user}`
  expect(await db.call('account_refusal', chat.user)).toBeNull()
  await rules(true)
})

test('where a second factor is required, the Data API changes nothing without one', async () => {
  const [agent] = await database.sql`
    insert into askback.agents (user_id, name, instructions) values (${chat.user}, 'Mine', 'Help.') returning id`
  const as = (aal: string) => connectAs(database.url, 'authenticated', chat.user, { aal })
  const [one, two] = [as('aal1'), as('aal2')]
  const rename = (sql: typeof one) => sql`update askback.agents set name = 'Other' where id = ${agent?.id}`
  const add = (sql: typeof one) =>
    sql`insert into askback.agents (name, instructions) values ('New', 'Help.')`
  expect((await rename(one)).count).toBe(1)
  await db.call('keep_rules', { anonymous: true, requireAal2: true })
  expect((await one`select name from askback.agents where id = ${agent?.id}`)[0]?.name).toBe('Other')
  expect((await rename(one)).count).toBe(0)
  expect((await one`delete from askback.agents where id = ${agent?.id}`).count).toBe(0)
  await expect(add(one)).rejects.toMatchObject({ code: '42501' })
  expect((await rename(two)).count).toBe(1)
  expect((await add(two)).count).toBe(1)
  expect((await two`delete from askback.agents where id = ${agent?.id}`).count).toBe(1)
  await db.call('keep_rules', { anonymous: true, requireAal2: false })
  expect((await add(one)).count).toBe(1)
  await Promise.all([one.end(), two.end()])
})

test('every table that a user reads or writes asks whether the account may act, and whether it may change it', async () => {
  const open = await database.sql`
    select c.relname, command from pg_class c,
      (values ('*', 'may_use_data'), ('a', 'may_change_data'), ('w', 'may_change_data'), ('d', 'may_change_data'))
        as f (command, name)
    where c.relnamespace = 'askback'::regnamespace and c.relkind in ('r', 'p')
      and case command
        when '*' then true
        when 'a' then has_any_column_privilege('authenticated', c.oid, 'insert')
        when 'w' then has_any_column_privilege('authenticated', c.oid, 'update')
        else has_table_privilege('authenticated', c.oid, 'delete')
      end
      and not exists (
        select from pg_policy p
        where p.polrelid = c.oid and not p.polpermissive and p.polcmd = command
          and coalesce(pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) = format(
            '( SELECT askback_private.%s() AS %s)', f.name, f.name
          )
      )`
  expect(open).toEqual([])
})
