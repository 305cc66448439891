import type { Sql } from 'postgres'

/** What a later migration does to `askback.version`: the database is of version `schema` from here on. */
export async function becomeVersion(sql: Sql, schema: number): Promise<void> {
  await sql.unsafe(`
    create or replace function askback.version() returns jsonb
    language sql immutable set search_path = '' as $$
      select jsonb_build_object('schema', ${schema}, 'accepts', jsonb_build_array(${schema - 1}, ${schema}))
    $$`)
}
