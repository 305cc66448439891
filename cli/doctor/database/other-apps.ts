import { type Finding, note } from '../finding.ts'
import type { Database } from './database.ts'

/**
 * Tables of the project that an app with a token of Supabase's OAuth server can read or change: no policy asks for the
 * claim `client_id` (https://supabase.com/docs/guides/auth/oauth-server/token-security). Only if there is such an app.
 */
export async function checkOtherApps({ query }: Database): Promise<Finding[]> {
  const [clients] = await query("select to_regclass('auth.oauth_clients') is not null as there")
  if (!clients?.there) return []
  const [registered] = await query(
    'select count(*)::int as n from auth.oauth_clients where deleted_at is null',
  )
  if (!registered?.n) return []
  const rows = await query(reachable)
  if (rows.length === 0) return []
  const names = rows.map(({ name }) => name).join(', ')
  const apps = registered.n === 1 ? 'One other app' : `${registered.n} other apps`
  return [
    note(
      `${apps} can get tokens of your users, which reach: ${names}. Close each to them, like: create policy "other apps get nothing" on ${rows[0]?.name} as restrictive using ((select auth.jwt() ->> 'client_id') is null); (this takes row level security on a table, security_invoker on a view)`,
    ),
  ]
}

/** A policy asks for the claim if it contains its name as a text. */
const reachable = `
  with policies as (
    select polrelid, polpermissive, polcmd,
      concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ~ '''client_id''' as asks
    from pg_policy
    where polroles && array[0::oid, (select oid from pg_roles where rolname = 'authenticated')]
  )
  select c.oid::regclass::text as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where (n.nspname in (select name from askback.exposed_schemas) or (n.nspname, c.relname) = ('storage', 'objects'))
    and n.nspname <> 'askback'
    and (
      has_any_column_privilege('authenticated', c.oid, 'select, insert, update')
      or has_table_privilege('authenticated', c.oid, 'delete')
    )
    and case
      when c.relkind in ('r', 'p') then not c.relrowsecurity or exists (
        select from policies open where open.polrelid = c.oid and open.polpermissive and not open.asks
          and not exists (
            select from policies closing where closing.polrelid = c.oid and not closing.polpermissive and closing.asks
              and closing.polcmd in ('*', open.polcmd)
          )
      )
      when c.relkind = 'v' then not coalesce(c.reloptions && '{security_invoker=true,security_invoker=on}', false)
        and pg_get_viewdef(c.oid) !~ '''client_id'''
      else c.relkind in ('m', 'f')
    end
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1 limit 20`
