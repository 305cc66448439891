import { type Finding, fail, note, ok } from '../finding.ts'
import type { Database } from './database.ts'

/** Whether something resumes what waits. */
export async function checkClock({ query, kind, chat }: Database): Promise<Finding[]> {
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
