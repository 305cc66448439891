import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { beforeEach, expect, test } from 'vitest'
import { callEntries, numbered, userMessage } from '../../../support/database-calls.ts'
import { DatabaseConversation } from '../../../support/database-conversation.ts'
import { useDatabase } from '../../../support/use-database.ts'

// A user is deleted, by Supabase or by us, while something of theirs is under way: one waits for the other, and both end.

const { database, db } = useDatabase()
let chat: DatabaseConversation
let runId: string

beforeEach(async () => {
  chat = new DatabaseConversation(db, await db.createUser())
  const turn = await chat.post({ messages: [userMessage('m1', 'Write to Ada.')] })
  runId = turn.runId
  const permission = {
    agentId: turn.agent.id,
    toolName: 'smtp_send_email',
    path: 'to',
    pattern: '*@example.com',
  }
  await db.call('add_permission', chat.user, { ...permission, max: 5, per: 'day' })
})

/** How many connections wait for a lock. */
async function countWaiting(): Promise<number> {
  const [row] = await database.sql`
    select count(*)::integer as waiting from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`
  return row?.waiting
}

const needs = { path: 'to', addresses: ['ada@example.com'] }
const permissionOf = (sql: TransactionSql) =>
  sql`select from askback.permissions where user_id = ${chat.user} for update`
const usageOf = (sql: TransactionSql) => sql`select askback_private.lock_usage(${chat.user})`

/** What is under way, and what it waits for in its middle, with its conversation locked. */
const works = {
  'a claim': { work: () => db.claim(runId, { needs }), hold: permissionOf },
  'a message': { work: () => chat.post({ messages: [userMessage('m2', 'And to Bob.')] }), hold: usageOf },
  'a heartbeat': {
    work: () => db.call('heartbeat_run', runId, 15, numbered(callEntries('call-1'))),
    hold: usageOf,
  },
}
const deletions = {
  Supabase: async () => await database.sql`delete from auth.users where id = ${chat.user}`,
  'our own function': () => db.call('delete_account', chat.user),
}
const pairs = Object.keys(works).flatMap((work) =>
  Object.keys(deletions).map((deletion) => [work, deletion] as [keyof typeof works, keyof typeof deletions]),
)

test.each(pairs)('%s ends, and so does the deletion of its user by %s', async (working, deleting) => {
  const { work, hold } = works[working]
  let underWay: Promise<unknown>[] = []
  await database.sql.begin(async (sql) => {
    await hold(sql)
    const worked = work()
    await expect.poll(countWaiting).toBe(1)
    const deleted = deletions[deleting]()
    await expect.poll(countWaiting).toBe(2)
    underWay = [worked, deleted]
  })
  const [worked] = await Promise.all(underWay)
  expect(worked).not.toBeNull()
  await deletions[deleting]()
  expect(await db.claim(runId, { id: randomUUID() })).toMatchObject({ claimed: false })
})
