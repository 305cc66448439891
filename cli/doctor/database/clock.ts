import { type Finding, fail, note, ok } from '../finding.ts'
import type { Database } from './database.ts'

type Trouble =
  | 'never'
  | 'stopped'
  | 'silent'
  | 'no_vault'
  | 'no_url'
  | 'no_secret'
  | 'no_pg_net'
  | 'refused'
  | 'not_found'
  | 'failed'
  | 'no_answer'

interface State {
  cameAt: string | null
  status: number | null
  trouble: Trouble | null
}

/** Which parts of the clock the database has. */
interface Parts {
  cron: 'installed' | 'available' | 'missing'
  net: 'installed' | 'available' | 'missing'
  vault: boolean
  /** The statement that schedules the job. */
  schedule: string
}

/** pg_cron counts in seconds since 1.5: https://github.com/citusdata/pg_cron/releases/tag/v1.5.0 */
function scheduleFor(cronVersion: unknown): string {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(String(cronVersion)) ?? []
  const isOld = major === '0' || (major === '1' && Number(minor) < 5)
  return `select cron.schedule('askback-clock', '${isOld ? '* * * * *' : '30 seconds'}', 'select askback.wake_chat()');`
}

/** Whether something resumes waiting runs: what is missing comes first, then what the clock itself has recorded. */
export async function checkClock(database: Database): Promise<Finding> {
  const { query, kind, chat } = database
  if (kind === 'dev') return ok('`askback dev` resumes waiting runs')
  const [row] = await query('select askback.clock_state() as state')
  const state = row?.state as State
  const parts = await findParts(database)
  if (parts.cron !== 'installed') return describeWithoutCron(parts, state, chat)
  return (
    (await checkParts(database, parts)) ??
    (await checkJob(database, parts)) ??
    (state.trouble ? troubles[state.trouble](state) : describeGood(state))
  )
}

async function findParts({ query }: Database): Promise<Parts> {
  const rows = await query(
    `select name, coalesce(installed_version, default_version) as version from pg_available_extensions where name in ('pg_cron', 'pg_net')`,
  )
  const [there] = await query(`select
    exists (select from pg_namespace n join pg_class c on c.relnamespace = n.oid where n.nspname = 'cron' and c.relname = 'job') as cron,
    exists (select from pg_namespace n join pg_proc p on p.pronamespace = n.oid where n.nspname = 'net' and p.proname = 'http_post') as net,
    exists (select from pg_namespace n join pg_class c on c.relnamespace = n.oid where n.nspname = 'vault' and c.relname = 'secrets') as vault`)
  const of = (name: string, isThere: unknown) => {
    if (isThere) return 'installed'
    return rows.some((row) => row.name === name) ? 'available' : 'missing'
  }
  return {
    cron: of('pg_cron', there?.cron),
    net: of('pg_net', there?.net),
    vault: there?.vault === true,
    schedule: scheduleFor(rows.find((row) => row.name === 'pg_cron')?.version),
  }
}

/** Something else may call the function: a scheduler of the team's own. */
function describeWithoutCron({ cron, schedule }: Parts, { trouble, cameAt }: State, chat: string): Finding {
  if (trouble === null && cameAt !== null)
    return ok(`Something other than pg_cron resumes waiting runs; it last called at ${cameAt}`)
  if (cron === 'available') {
    return fail(
      `pg_cron is not enabled, so nothing resumes waiting runs. Run in the SQL editor: create extension pg_cron with schema pg_catalog; ${schedule}`,
    )
  }
  return note(
    `This PostgreSQL has no pg_cron, so nothing resumes waiting runs. Call POST /functions/v1/${chat}/clock every 30 seconds yourself: see docs/settings.md, "The clock".`,
  )
}

async function checkParts({ query, chat }: Database, { net, vault }: Parts): Promise<Finding | undefined> {
  if (net !== 'installed') {
    return fail(
      'pg_net is not enabled, so the clock cannot call the function. Run in the SQL editor: create extension pg_net with schema extensions;',
    )
  }
  if (!vault) {
    return fail(
      'There is no Vault, so the clock does not know where the function is. Run in the SQL editor: create extension supabase_vault;',
    )
  }
  const needed = {
    askback_chat_url: `https://YOUR_REF.supabase.co/functions/v1/${chat}`,
    askback_function_secret: 'the value of ASKBACK_FUNCTION_SECRET',
  }
  const stored = await query("select name from vault.secrets where name like 'askback\\_%'")
  const missing = Object.entries(needed).filter(([name]) => !stored.some((row) => row.name === name))
  if (missing.length === 0) return undefined
  const statements = missing.map(([name, value]) => `select vault.create_secret('${value}', '${name}');`)
  return fail(
    `The Vault lacks ${missing.map(([name]) => name).join(' and ')}, so nothing resumes waiting runs. Run in the SQL editor: ${statements.join(' ')}`,
  )
}

/** pg_cron's job, and how it last ended: https://github.com/citusdata/pg_cron#viewing-job-run-details */
async function checkJob({ query }: Database, { schedule }: Parts): Promise<Finding | undefined> {
  const [job] = await query(`select j.jobid, j.active, (
      select d.status = 'failed' from cron.job_run_details d
      where d.jobid = j.jobid and d.end_time is not null order by d.runid desc limit 1
    ) as failed
    from cron.job j where j.jobname = 'askback-clock'`)
  if (!job) return fail(`The clock is not scheduled. Run in the SQL editor: ${schedule}`)
  if (!job.active) {
    return fail(
      `The clock's job is switched off. Run in the SQL editor: select cron.alter_job(${job.jobid}, active := true);`,
    )
  }
  if (!job.failed) return undefined
  return fail(
    `The clock's job fails. See why in the SQL editor: select return_message, end_time from cron.job_run_details where jobid = ${job.jobid} order by runid desc limit 5;`,
  )
}

const setUrl = "select vault.update_secret(id, 'URL') from vault.secrets where name = 'askback_chat_url';"
const setSecret =
  "select vault.update_secret(id, 'VALUE') from vault.secrets where name = 'askback_function_secret';"

const troubles: Record<Trouble, (state: State) => Finding> = {
  never: () =>
    note(
      "The clock's job has not run yet. Check again in two minutes; if it still has not, pg_cron does not work.",
    ),
  stopped: ({ cameAt }) =>
    fail(
      `The clock stopped: pg_cron has not run its job for 5 minutes${lastCall(cameAt)}. Restart the database, which restarts pg_cron.`,
    ),
  silent: ({ cameAt }) =>
    fail(
      `The clock's requests do not reach the function${lastCall(cameAt)}. Compare the Vault's askback_chat_url with the function's address, and restart pg_net: select net.worker_restart();`,
    ),
  no_vault: () =>
    fail('The clock cannot read the Vault. Run in the SQL editor: create extension supabase_vault;'),
  no_url: () => fail(`The Vault's askback_chat_url is empty. Store the function's address: ${setUrl}`),
  no_secret: () =>
    fail(
      `The Vault's askback_function_secret is empty. Store the value of ASKBACK_FUNCTION_SECRET: ${setSecret}`,
    ),
  no_pg_net: () =>
    fail('The clock found no pg_net. Run in the SQL editor: create extension pg_net with schema extensions;'),
  refused: ({ status }) =>
    fail(
      `The function refuses the clock (status ${status}): the Vault's askback_function_secret is not the functions' ASKBACK_FUNCTION_SECRET. Store that value: ${setSecret}`,
    ),
  not_found: () =>
    fail(
      `There is no function at the Vault's askback_chat_url (status 404). Deploy it, or store its right address: ${setUrl}`,
    ),
  failed: ({ status }) =>
    fail(`The function answers the clock with status ${status}. See the function's log for the reason.`),
  no_answer: () =>
    fail(
      `Nothing answers at the Vault's askback_chat_url. Store the function's address, like https://YOUR_REF.supabase.co/functions/v1/chat: ${setUrl}`,
    ),
}

function describeGood({ cameAt }: State): Finding {
  if (cameAt === null)
    return note("The clock's first request is on its way to the function. Check again in two minutes.")
  return ok(`pg_cron resumes waiting runs; the clock last called at ${cameAt}`)
}

function lastCall(cameAt: string | null): string {
  return cameAt === null ? '; no request has ever arrived' : `; the last request arrived at ${cameAt}`
}
