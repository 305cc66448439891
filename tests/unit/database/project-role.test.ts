import postgres from 'postgres'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../support/use-database.ts'

const { database } = useDatabase()

// What projects do that work hosted, as a baseline of `supabase db pull`, or as Supabase's documentation says.
test.each([
  `comment on schema public is 'standard public schema'`,
  'alter schema public owner to pg_database_owner',
  `alter database postgres set timezone to 'America/New_York'`,
  `alter role authenticator set pgrst.db_pre_request = 'public.check_request'`,
  `alter role authenticator set pgrst.db_aggregates_enabled = 'true'`,
  `alter role authenticator set pgrst.db_max_rows = '100'`,
  `alter role authenticator set statement_timeout = '20s'`,
  'alter publication supabase_realtime owner to postgres',
])('a migration of a project may say: %s', async (statement) => {
  const project = postgres(database.url, { max: 1, onnotice: () => {} })
  const undone = new Error('undone')
  await expect(
    project.begin(async (sql) => {
      await sql.unsafe(statement)
      throw undone
    }),
  ).rejects.toBe(undone)
  await project.end()
})
