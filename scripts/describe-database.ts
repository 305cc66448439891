import type { Sql } from 'postgres'

/**
 * The definitions of everything that our migrations create, by name, such as `function askback.begin_turn(uuid,json)`.
 */
export type DatabaseDescription = ReadonlyMap<string, string>

/**
 * Describes a database such that databases that behave the same have equal descriptions, whatever the order in which
 * things were created. Columns are described one by one, because a column that was added later comes last in its table.
 */
export async function describeDatabase(sql: Pick<Sql, 'unsafe'>): Promise<DatabaseDescription> {
  const description = new Map<string, string>()
  const add = async (query: string) => {
    for (const { name, facts } of await sql.unsafe<{ name: string; facts: string }[]>(query)) {
      description.set(name, facts)
    }
  }
  for (const query of queries) await add(query)
  for (const [table, query] of tablesOfExtensions) {
    const found = await sql.unsafe(`select 1 where to_regclass('${table}') is not null`)
    if (found.length > 0) await add(query)
  }
  return description
}

/** The differences between an upgraded database and a new one, one line each. */
export function compareDatabases(upgraded: DatabaseDescription, fresh: DatabaseDescription): string[] {
  const names = [...new Set([...fresh.keys(), ...upgraded.keys()])].sort()
  return names.flatMap((name) => {
    const [before, after] = [upgraded.get(name), fresh.get(name)]
    if (before === after) return []
    if (before === undefined) return `${name} is missing in the upgraded database.`
    if (after === undefined) return `${name} is only in the upgraded database.`
    const [old, now] = [before.split('\n'), after.split('\n')]
    const line = [...old.keys(), ...now.keys()].find((index) => old[index] !== now[index]) ?? 0
    return `${name} differs: ${quote(old[line])} in the upgraded database, ${quote(now[line])} in a new one.`
  })
}

function quote(line = ''): string {
  return JSON.stringify(line.trim().slice(0, 300))
}

/** Grants to others than the owner and superusers. PostgreSQL keeps them in the order in which they were made. */
const rights = (acl: string) => `(
  select coalesce(string_agg(format('%s %s', coalesce(r.rolname, 'everybody'), privilege_type), ', ' order by r.rolname, privilege_type), 'nobody')
  from aclexplode(${acl}) granted left join pg_roles r on r.oid = granted.grantee
  where granted.grantee <> granted.grantor and not coalesce(r.rolsuper, false)
)`

const ours = `('askback', 'askback_private')`
const inSchema = (column: string) => `${column} in (select oid from pg_namespace where nspname in ${ours})`

const queries = [
  `select 'schema ' || nspname as name, ${rights('nspacl')} as facts from pg_namespace where nspname in ${ours}`,

  `select format('%s %s', case relkind when 'r' then 'table' when 'v' then 'view' when 'S' then 'sequence' else relkind::text end, relname) as name,
     format('row level security %s, options %s, %s', relrowsecurity, reloptions::text, ${rights('relacl')})
       || case when relkind in ('v', 'm') then E'\\n' || pg_get_viewdef(oid) else '' end as facts
   from pg_class where ${inSchema('relnamespace')} and relkind in ('r', 'p', 'v', 'm', 'S')`,

  `select format('column %s.%s', r.relname, a.attname) as name,
     format('%s%s, default %s, generated %s, identity %s, storage %s, %s',
       format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
       pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity, a.attstorage, ${rights('a.attacl')}) as facts
   from pg_attribute a
   join pg_class r on r.oid = a.attrelid
   left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
   where ${inSchema('r.relnamespace')} and r.relkind in ('r', 'v', 'c') and a.attnum > 0 and not a.attisdropped`,

  // Since PostgreSQL 18, "not null" is also a constraint; the column already says so.
  `select format('constraint %s of %s', conname, conrelid::regclass) as name, pg_get_constraintdef(oid) as facts
   from pg_constraint where ${inSchema('connamespace')} and contype <> 'n'`,

  `select 'index ' || x.relname as name, pg_get_indexdef(i.indexrelid) as facts
   from pg_index i join pg_class x on x.oid = i.indexrelid where ${inSchema('x.relnamespace')}`,

  `select format('policy %s on %s', policyname, tablename) as name,
     format('%s %s to %s using %s with check %s', permissive, cmd, roles::text, qual, with_check) as facts
   from pg_policies where schemaname in ${ours}`,

  `select format('trigger %s on %s', tgname, tgrelid::regclass) as name, format('%s %s', tgenabled, pg_get_triggerdef(t.oid)) as facts
   from pg_trigger t join pg_class r on r.oid = t.tgrelid where ${inSchema('r.relnamespace')} and not tgisinternal`,

  `select 'function ' || oid::regprocedure as name,
     format(E'%s\\n%s', ${rights("coalesce(proacl, acldefault('f', proowner))")}, pg_get_functiondef(oid)) as facts
   from pg_proc where ${inSchema('pronamespace')}`,

  `select format('default rights on %s', defaclobjtype) as name, ${rights('defaclacl')} as facts
   from pg_default_acl where ${inSchema('defaclnamespace')}`,

  ...['integrations', 'tools', 'exposed_schemas'].map(
    (table) =>
      `select format('row %s of ${table}', name) as name, (to_jsonb(t) - 'id')::text as facts from askback.${table} t`,
  ),
]

const tablesOfExtensions: [table: string, query: string][] = [
  ['cron.job', `select 'job ' || jobname as name, format('%s %s', schedule, command) as facts from cron.job`],
  [
    'storage.buckets',
    `select 'bucket ' || id as name, format('public %s, at most %s bytes', public, file_size_limit) as facts from storage.buckets`,
  ],
]
