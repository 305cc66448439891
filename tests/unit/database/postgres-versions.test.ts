import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { readVersion } from '../../../local/database/postgres-server.ts'
import { environment } from '../../../scripts/platform.ts'
import { startTestDatabase } from '../../../support/database.ts'
import { testPostgres } from '../../../support/test-postgres.ts'

test('the server is of the version that this test is about, and the project’s role is no superuser', async () => {
  const database = await startTestDatabase()
  const sql = postgres(database.url, { max: 1 })
  try {
    const [server] = await sql`
      select current_setting('server_version') as version, rolsuper as "isSuperuser", rolname as name
      from pg_roles where rolname = current_user`
    expect(server?.version).toMatch(new RegExp(`^${readVersion(testPostgres())}\\.`))
    expect(server).toMatchObject({ isSuperuser: false, name: 'postgres' })
  } finally {
    await sql.end()
    await database.close()
  }
})

test('the Supabase CLI pushes the migrations as a role that is no superuser, twice', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'askback-empty-'))
  const database = await startTestDatabase({ supabase: empty })
  const root = join(import.meta.dirname, '../../..')
  const words = ['db', 'push', '--yes', '--workdir', root, '--db-url', `${database.url}?sslmode=disable`]
  const push = () =>
    spawnSync(join(root, 'node_modules/.bin/supabase'), words, {
      encoding: 'utf8',
      timeout: 100_000,
      env: { ...environment, SUPABASE_TELEMETRY_DISABLED: '1' },
    })
  try {
    const first = push()
    expect(first.status, first.stderr).toBe(0)
    const second = push()
    expect(second.status, second.stderr).toBe(0)
    const [owner] =
      await database.sql`select nspowner::regrole::text as name from pg_namespace where nspname = 'askback'`
    expect(owner?.name).toBe('postgres')
    const tools = await database.sql`select name from askback.tools order by position`
    expect(tools.map((tool) => tool.name)).toContain('smtp_send_email')
    // It may read auth.users for those who may not.
    const user = '00000000-0000-4000-8000-000000000001'
    await database.sql`
      insert into auth.users (id, email, raw_user_meta_data) values (${user}, 'ada@example.com', '{"name":"Ada"}')`
    const [facts] = await database.sql.begin(async (sql) => {
      await sql`set local role service_role`
      return sql`select askback.user_facts(${user}) as facts`
    })
    expect(facts?.facts).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
  } finally {
    await database.close()
    rmSync(empty, { recursive: true })
  }
}, 240_000)
