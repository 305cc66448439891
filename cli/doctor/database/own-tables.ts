import { type Finding, note } from '../finding.ts'
import type { Database } from './database.ts'

/** Since 2026-10-30 Supabase shows a table to nobody who was not granted it. */
export async function checkOwnTables({ query }: Database): Promise<Finding[]> {
  const rows = await query(`select c.oid::regclass::text as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm')
      and not exists (
        select from unnest(array['anon', 'authenticated', 'service_role']) role
        where has_table_privilege(role, c.oid, 'select') or has_any_column_privilege(role, c.oid, 'select')
      )
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 20`)
  if (rows.length === 0) return []
  const names = rows.map(({ name }) => name).join(', ')
  return [
    note(
      `The Data API shows these tables to nobody, because no role has rights on them: ${names}. If an app or an agent should see them, grant such rights, like: grant select on ${rows[0]?.name} to authenticated;`,
    ),
  ]
}
