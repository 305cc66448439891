import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { environment } from '../../../scripts/platform.ts'
import { findPostgres15, startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { DatabaseCalls, sent, userMessage } from '../../support/database-calls.ts'
import { DatabaseConversation } from '../../support/database-conversation.ts'

const systemBinaries = findPostgres15()
if (!systemBinaries)
  console.log('PostgreSQL 15 is not installed here, so the migrations are not tried on it.')

/** A conversation with a mail, an approval, an edit and the statistics, from the first to the last RPC. */
async function walkThrough(database: TestDatabase): Promise<void> {
  const db = new DatabaseCalls()
  db.open(database)
  const chat = new DatabaseConversation(db, await db.createUser())
  await chat.exchangeWithMail('u1', 'Write to Ada.')
  const turn = await chat.awaitApproval('u2')
  const next = await chat.decide(turn.messageId, true)
  await db.finish(next.runId, { text: 'Sent again.' })
  const edit = await chat.post({
    messageId: 'u2',
    messages: [userMessage('u2', 'Stop.')],
  })
  await db.finish(edit.runId, { text: 'Stopped.' })
  expect(await chat.texts()).toEqual(['Write to Ada.', 'Sent.', 'Stop.', 'Stopped.'])
  expect(await db.call('due_runs', 10)).toEqual([])
  const [row] = await db.service`select result, error_type from tool_executions where user_id = ${chat.user}`
  expect(row).toEqual({ result: sent, error_type: null })
  await db.close()
}

test.skipIf(!systemBinaries)(
  'PostgreSQL 15 takes the migrations and a conversation',
  async () => {
    const database = await startTestDatabase({ systemBinaries: String(systemBinaries) })
    try {
      const [version] = await database.sql`show server_version`
      expect(version?.server_version).toMatch(/^15\./)
      await walkThrough(database)
    } finally {
      await database.close()
    }
  },
  120_000,
)

test('the Supabase CLI pushes the migrations as a role that is no superuser, twice', async () => {
  const database = await startTestDatabase()
  await database.sql.unsafe('create database hosted')
  const url = new URL(database.url)
  url.pathname = '/hosted'
  const hosted = postgres(url.href, { max: 1, onnotice: () => {} })
  try {
    // What a hosted project has before its first push, as far as we use it.
    await hosted.unsafe(`
      create role deployer login password 'deployer' createrole bypassrls;
      grant anon, authenticated, service_role to deployer;
      grant create on database hosted to deployer;
      create schema auth;
      create table auth.users (id uuid primary key, email text, raw_user_meta_data jsonb);
      create function auth.uid() returns uuid language sql as 'select null::uuid';
      create function auth.jwt() returns jsonb language sql as 'select null::jsonb';
      grant usage on schema auth to deployer, anon, authenticated, service_role;
      grant all on auth.users to deployer`)
    url.username = 'deployer'
    url.password = 'deployer'
    url.searchParams.set('sslmode', 'disable')
    const root = join(import.meta.dirname, '../../..')
    const push = () =>
      spawnSync(
        join(root, 'node_modules/.bin/supabase'),
        ['db', 'push', '--yes', '--workdir', root, '--db-url', url.href],
        {
          encoding: 'utf8',
          timeout: 100_000,
          env: { ...environment, SUPABASE_TELEMETRY_DISABLED: '1' },
        },
      )
    const first = push()
    expect(first.status, first.stderr).toBe(0)
    const second = push()
    expect(second.status, second.stderr).toBe(0)
    const [owner] =
      await hosted`select nspowner::regrole::text as name from pg_namespace where nspname = 'askback'`
    expect(owner?.name).toBe('deployer')
    const tools = await hosted`select name from askback.tools order by position`
    expect(tools.map((tool) => tool.name)).toContain('smtp_send_email')
    // It may read auth.users for those who may not.
    const user = '00000000-0000-4000-8000-000000000001'
    await hosted`insert into auth.users values (${user}, 'ada@example.com', '{"name":"Ada"}')`
    const [facts] = await hosted.begin(async (sql) => {
      await sql`set local role service_role`
      return sql`select askback.user_facts(${user}) as facts`
    })
    expect(facts?.facts).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
  } finally {
    await hosted.end()
    await database.close()
  }
}, 240_000)
