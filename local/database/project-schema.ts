import type { Sql } from 'postgres'
import { StartError } from '../process/start-error.ts'

/** What migrations of Supabase projects take for granted, besides roles and sign-in. */
const schema = `
create schema if not exists extensions;
create schema if not exists graphql_public;
grant usage on schema extensions, graphql_public to anon, authenticated, service_role;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  execute format('alter role %I in database %I set search_path = "$user", public, extensions', current_user, current_database());
end
$$;
`

/** Prepares the database for the migrations of somebody's project. */
export async function createProjectSchema(sql: Sql): Promise<void> {
  await sql.unsafe(schema)
}

/** @throws {StartError} when the project's migrations do not bring Askback along */
export async function requireAskback(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('askback.agents') is not null as "isThere"`
  if (found?.isThere) return
  throw new StartError('This project has no migration of Askback. Add it first: npx askback add')
}
