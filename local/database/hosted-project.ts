import type { Sql } from 'postgres'

/*
 * What the database of a hosted project has before its first migration. Each part names where Supabase says so: files of
 * https://github.com/supabase/postgres, in `migrations/db/`, unless it is a page of the documentation.
 */

/** The role that a hosted project's migrations run as, and that owns what they create. */
export const projectRole = 'postgres'

/** [role, attributes, settings]; a role that is there stays as it is, so that a team's own settings stay. */
const roles: [name: string, attributes: string, settings?: string[]][] = [
  // migrations/10000000000000_demote-postgres.sql; init-scripts/00000000000003-post-setup.sql
  [
    'postgres',
    'login createdb createrole replication bypassrls',
    [`search_path = "$user", public, extensions`],
  ],
  // init-scripts/00000000000000-initial-schema.sql; migrations/20230529180330_alter_api_roles_for_inherit.sql;
  // https://supabase.com/docs/guides/database/postgres/timeouts
  ['anon', 'nologin', [`statement_timeout = '3s'`]],
  ['authenticated', 'nologin', [`statement_timeout = '8s'`]],
  ['service_role', 'nologin bypassrls'],
  // migrations/20221028101028_set_authenticator_timeout.sql, 20231130133139_set_lock_timeout_to_authenticator_role.sql.
  // Hosted, it also loads supautils and safeupdate, which PostgreSQL does not bring along.
  ['authenticator', 'login noinherit', [`statement_timeout = '8s'`, `lock_timeout = '8s'`]],
  // init-scripts/00000000000001-auth-schema.sql; migrations/20260821154147_revoke_createrole_from_auth_admin.sql
  ['supabase_auth_admin', 'login noinherit', ['search_path = auth']],
  // init-scripts/00000000000002-storage-schema.sql
  ['supabase_storage_admin', 'login noinherit createrole', ['search_path = storage']],
  // init-scripts/00000000000000-initial-schema.sql
  ['supabase_read_only_user', 'login bypassrls'],
]

/**
 * init-scripts/00000000000000-initial-schema.sql; migrations/20230201083204_grant_auth_roles_to_postgres.sql,
 * 20230224042246_grant_extensions_perms_for_postgres.sql, 20230306081037_grant_pg_monitor_to_postgres.sql,
 * 20240606060239_grant_predefined_roles_to_postgres.sql, 20250605172253_grant_with_admin_to_postgres_16_and_above.sql;
 * ansible/files/postgresql_config/supautils.conf.j2, `privileged_role_allowed_configs`
 */
const grants = `
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres;
grant set on parameter log_lock_waits, log_min_messages, session_replication_role, track_io_timing to postgres;
-- https://docs.postgrest.org/en/stable/references/configuration.html#in-database-configuration
grant set on parameter pgrst.db_aggregates_enabled, pgrst.db_extra_search_path, pgrst.db_max_rows, pgrst.db_plan_enabled,
  pgrst.db_pre_request, pgrst.db_schemas, pgrst.openapi_mode to postgres;
grant pg_read_all_data to supabase_read_only_user;
grant usage on schema public to anon, authenticated, service_role;
grant all on schema public to postgres;

create schema if not exists extensions;
create schema if not exists graphql_public;
grant usage on schema extensions, graphql_public to anon, authenticated, service_role;
grant all on schema extensions to postgres with grant option;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pg_stat_statements with schema extensions;

do $$
begin
  execute format('grant all on database %I to postgres', current_database());
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to postgres;
  end if;
end
$$;
`

/**
 * The database belongs to `postgres`, and with it the schema `public`, as in each dump of the Supabase CLI
 * (https://supabase.com/docs/guides/database/postgres/configuration, "Change timezone").
 */
const owned = `
do $$
begin
  execute format('alter database %I owner to ${projectRole}', current_database());
end
$$;
`

/** With grants for new entities: init-scripts/00000000000000-initial-schema.sql */
const exposedByDefault = `
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
`
/**
 * Without: https://supabase.com/docs/guides/database/data-api, "Default privileges for new entities". PostgreSQL lets
 * everybody execute a new function all the same.
 */
const notExposedByDefault = `
alter default privileges in schema public
revoke select, insert, update, delete on tables from anon, authenticated, service_role;
alter default privileges in schema public
revoke usage, select on sequences from anon, authenticated, service_role;
alter default privileges in schema public
revoke execute on functions from anon, authenticated, service_role;
`

/** Hosted, the Supabase CLI makes these as `postgres`. */
const history = `
alter schema supabase_migrations owner to ${projectRole};
alter table supabase_migrations.schema_migrations owner to ${projectRole};
alter table supabase_migrations.seed_files owner to ${projectRole};
`

/**
 * migrations/20211115181400_update-auth-permissions.sql, 20211124212715_update-auth-owner.sql. The functions return the
 * claims of the request, one by one or as JSON.
 */
const auth = `
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to supabase_auth_admin, postgres;

do $$
declare
  v_table regclass;
begin
  for v_table in select oid from pg_catalog.pg_class where relnamespace = 'auth'::regnamespace and relkind in ('r', 'p') loop
    execute format('alter table %s owner to supabase_auth_admin', v_table);
  end loop;
end
$$;
grant all on all tables in schema auth to postgres;
grant all on all sequences in schema auth to supabase_auth_admin, postgres;

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
grant execute on all functions in schema auth to anon, authenticated, service_role, postgres;
`

/**
 * Creates what is missing of the roles, their rights and the schema `extensions`.
 *
 * @param sql of a superuser
 * @param password of the role `postgres`, if it may sign in; it then also owns the database
 */
export async function createRoles(sql: Sql, password?: string): Promise<void> {
  const known = await sql`select rolname from pg_catalog.pg_roles`
  const missing = roles.filter(([name]) => !known.some(({ rolname }) => rolname === name))
  const created = missing.flatMap(([name, attributes, settings = []]) => [
    `create role ${name} ${attributes};`,
    ...settings.map((setting) => `alter role ${name} set ${setting};`),
  ])
  const ofOurServer =
    password === undefined ? '' : `${owned}alter role ${projectRole} password '${password}';`
  await sql.unsafe([...created, grants, ofOurServer].join('\n'))
}

/**
 * Says whether the data API may use new tables and functions in `public` without a grant.
 *
 * @param sql of the role that will create them
 */
export async function setExposure(sql: Sql, isExposed: boolean): Promise<void> {
  await sql.unsafe(isExposed ? exposedByDefault : notExposedByDefault)
}

/**
 * Gives what `@supabase/lite` has created to those who own it on Supabase, and adds `auth.uid()` and the like.
 *
 * @param sql of a superuser
 */
export async function handOver(sql: Sql): Promise<void> {
  await sql.unsafe(history + auth)
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
