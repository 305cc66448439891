import * as z from 'zod'
import { type Finding, fail, note, ok } from './finding.ts'
import type { Query, Target } from './target.ts'

/**
 * What the database says: whether it accepts the code of this version, who may use what, the clock, and mail servers that
 * cannot be reached.
 */
export async function checkDatabase({ kind, query }: Target, code: number, chat: string): Promise<Finding[]> {
  if (!query) {
    return [note('No database was checked. Start `npx askback dev`, or name one with --db-url or --linked.')]
  }
  const [found] = await query("select to_regprocedure('askback.version()') is not null as there")
  if (!found?.there) {
    return [fail('The database has no schema "askback". Push the migrations: supabase db push')]
  }
  return [
    ...(await checkVersion(query, code)),
    ...(await checkGrants(query)),
    ...(await checkOwnTables(query)),
    ...(await checkOfferedFunctions(query)),
    ...(await checkClock(query, kind, chat)),
    ...(await checkMailPorts(query, kind)),
  ]
}

const versionSchema = z.object({ schema: z.number(), accepts: z.array(z.number()) })

async function checkVersion(query: Query, code: number): Promise<Finding[]> {
  const [row] = await query('select askback.version() as version')
  const { schema, accepts } = versionSchema.parse(row?.version)
  if (accepts.includes(code)) {
    return [ok(`The database is of version ${schema} and accepts the code of version ${code}`)]
  }
  const what =
    schema < code
      ? 'Push the migrations: supabase db push'
      : 'Upgrade the functions: npx askback upgrade, then supabase functions deploy'
  return [
    fail(`The database is of version ${schema} and does not accept the code of version ${code}. ${what}`),
  ]
}

async function checkGrants(query: Query): Promise<Finding[]> {
  const [rights] = await query(`select
    has_schema_privilege('authenticated', 'askback', 'usage')
      and has_table_privilege('authenticated', 'askback.agents', 'select') as users,
    has_schema_privilege('service_role', 'askback', 'usage')
      and has_function_privilege('service_role', 'askback.begin_turn(uuid, json)', 'execute') as functions`)
  if (rights?.users && rights.functions)
    return [ok('Users and functions have their rights in the schema "askback"')]
  const who = rights?.users ? 'the functions (service_role)' : 'users (authenticated)'
  return [
    fail(
      `The rights of ${who} in the schema "askback" are gone. Grant them again, as the migrations of Askback do.`,
    ),
  ]
}

/** Since 2026-10-30 Supabase shows a table to nobody who was not granted it. */
async function checkOwnTables(query: Query): Promise<Finding[]> {
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
      `The Data API shows these tables to nobody, because no role was granted them: ${names}. If an app or an agent should see them, grant them, like: grant select on ${rows[0]?.name} to authenticated;`,
    ),
  ]
}

/** Functions that agents are offered but cannot call. */
async function checkOfferedFunctions(query: Query): Promise<Finding[]> {
  const rows = await query(`select format('%I.%I', f.schema_name, f.function_name) as name,
      listed.value is null as gone, listed.value ->> 'refused' as refused
    from askback.offered_functions f
    left join json_array_elements(askback.list_functions()) listed
      on listed.value ->> 'name' = format('%I.%I', f.schema_name, f.function_name)
    where listed.value is null or listed.value ->> 'refused' is not null or (listed.value ->> 'changed')::boolean
    order by 1 limit 20`)
  return rows.map(({ name, gone, refused }) => {
    if (gone) {
      return fail(
        `Agents are offered ${name}, which is gone. Take it back: select askback.withdraw_function('${name}');`,
      )
    }
    return refused
      ? fail(`Agents are offered ${name}, which they cannot call: ${refused}`)
      : fail(
          `${name} was changed since agents were offered it, so they cannot call it. Offer it again: select * from askback.offer_functions_again();`,
        )
  })
}

async function checkClock(query: Query, kind: Target['kind'], chat: string): Promise<Finding[]> {
  if (kind === 'dev') return [ok('`askback dev` resumes what waits')]
  const [available] = await query(
    "select count(*)::int as n from pg_available_extensions where name in ('pg_cron', 'pg_net')",
  )
  if (available?.n !== 2) {
    return [
      note(
        `This PostgreSQL has no pg_cron and pg_net, so nothing resumes what waits. Call POST /functions/v1/${chat}/clock every 30 seconds yourself, with ASKBACK_FUNCTION_SECRET in the header x-askback-clock.`,
      ),
    ]
  }
  const [job] = await query("select to_regclass('cron.job') is not null as there")
  const [scheduled] = job?.there ? await query("select 1 from cron.job where jobname = 'askback-clock'") : []
  if (!scheduled) {
    return [
      fail(
        "The clock is not scheduled. Run in the SQL editor: select cron.schedule('askback-clock', '30 seconds', 'select askback.wake_chat()');",
      ),
    ]
  }
  const [wake] = await query("select prosrc from pg_proc where oid = 'askback.wake_chat()'::regprocedure")
  const needed = [...new Set(String(wake?.prosrc).match(/(?<=')askback_\w+(?=')/g) ?? [])]
  const stored = await query("select name from vault.secrets where name like 'askback\\_%'")
  const missing = needed.filter((name) => !stored.some((row) => row.name === name))
  if (missing.length === 0) return [ok('pg_cron resumes what waits')]
  return [
    fail(
      `The Vault lacks ${missing.join(' and ')}, so nothing resumes what waits. Store each: select vault.create_secret('VALUE', '${missing[0]}');`,
    ),
  ]
}

async function checkMailPorts(query: Query, kind: Target['kind']): Promise<Finding[]> {
  const [row] = await query(
    "select count(*)::int as n from askback.connections where provider = 'smtp' and metadata ->> 'port' in ('25', '587')",
  )
  if (!row?.n)
    return kind === 'dev' ? [] : [ok('No mail account uses a port that hosted functions cannot reach')]
  const accounts = row.n === 1 ? 'One mail account uses' : `${row.n} mail accounts use`
  return [
    note(
      `${accounts} port 25 or 587, which hosted Supabase blocks. Their owners have to choose port 465 under "Integrations".`,
    ),
  ]
}
