import type { Sql } from 'postgres'

/** The roles that Supabase adds to PostgreSQL. The connecting user must be able to switch to each of them. */
const roles = `
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values ('anon', ''), ('authenticated', ''), ('service_role', 'bypassrls')) as role (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I nologin noinherit %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;
grant anon, authenticated, service_role to current_user;
grant usage on schema public to anon, authenticated, service_role;
`

/** The functions that policies call, as Supabase defines them: the claims of the request, one by one or as JSON. */
const authFunctions = `
grant usage on schema auth to anon, authenticated, service_role;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;

create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )::text
$$;
`

/** Creates the database roles of a Supabase project that are missing. */
export async function createRoles(sql: Sql): Promise<void> {
  await sql.unsafe(roles)
}

/** Creates `auth.uid()` and the like. The schema `auth` must exist: `@supabase/lite` creates it with its tables. */
export async function createAuthFunctions(sql: Sql): Promise<void> {
  await sql.unsafe(authFunctions)
}

/**
 * Puts `askback` last on this user's search path, so that statistics can be queried without naming the schema. Applies
 * to new connections.
 */
export async function addToSearchPath(sql: Sql): Promise<void> {
  await sql.unsafe(`
do $$
declare
  held text := current_setting('search_path');
begin
  if held !~ '\\maskback\\M' then
    execute format('alter role %I in database %I set search_path = %s, askback', current_user, current_database(), held);
  end if;
end
$$`)
}
