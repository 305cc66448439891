import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { numbered, question, userMessage } from '../../support/database-calls.ts'
import { useDatabase } from '../../support/use-database.ts'

const { database, db } = useDatabase()

/** What Supabase has and PostgreSQL has not: Vault's secrets, and pg_net's function with its arguments. */
const supabaseParts = `
  create schema vault;
  create table vault.decrypted_secrets (name text, decrypted_secret text);
  create schema net;
  create table net.posts (url text, headers jsonb, body jsonb);
  create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000)
  returns bigint language sql as 'insert into net.posts values ($1, $4, $2) returning 1::bigint';
`

test('on Supabase the clock wakes the chat function, only when something is due', async () => {
  const { sql } = database
  await sql.unsafe(supabaseParts)
  const wake = async () => {
    await sql`select askback.wake_chat()`
    return sql`select * from net.posts`
  }
  expect(await wake()).toHaveLength(0)
  const user = await db.createUser()
  const turn = await db.postUi(user, { conversationId: 'c1', messages: [userMessage('u1', 'Search')] })
  await db.finish(turn.runId, {
    status: 'waiting',
    entries: numbered([question({ kind: 'wait', resumeAt: new Date().toISOString() })]),
  })
  // Nobody has said yet where the function is.
  expect(await wake()).toHaveLength(0)
  await sql`insert into vault.decrypted_secrets values
    ('askback_chat_url', 'https://project.supabase.co/functions/v1/assistant'), ('askback_function_secret', 'the secret')`
  expect(await wake()).toMatchObject([
    {
      url: 'https://project.supabase.co/functions/v1/assistant/clock',
      headers: { 'x-askback-clock': 'the secret' },
      body: {},
    },
  ])
  await db.call('begin_resume', user, 'c1', { runId: randomUUID(), type: 'wait' })
  expect(await wake()).toHaveLength(1)
})

test('without pg_cron and pg_net there is no job and no trace of one', async () => {
  const [row] = await database.sql`
    select count(*)::int as count from pg_available_extensions where name in ('pg_cron', 'pg_net')`
  expect(row?.count).toBeLessThan(2)
  expect(await database.sql`select 1 from pg_namespace where nspname = 'cron'`).toHaveLength(0)
})
