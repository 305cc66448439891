import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkDatabase } from '../../../cli/doctor/database/check-database.ts'
import { openDatabase } from '../../../cli/doctor/open-database.ts'
import { openLinked } from '../../../cli/doctor/open-linked.ts'
import type { Target } from '../../../cli/doctor/target.ts'
import { schemaVersion } from '../../../shared/server/version.ts'
import { startManagementDatabase } from '../../../support/management-database.ts'
import { clockSecrets, pgCron, pgNet, vault } from '../../../support/supabase-parts.ts'
import { writeFiles } from '../../../support/supabase-project.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
const url = 'https://project.supabase.co/functions/v1/chat'
const secrets = clockSecrets(url, 'the-function-secret')

/** Both ways to look at a hosted database. */
const targets: Record<'by URL' | 'linked', Target> = {} as never
const project = mkdtempSync(join(tmpdir(), 'askback-doctor-'))
let close = async () => {}
beforeAll(async () => {
  const management = await startManagementDatabase(database.sql, database.url)
  writeFiles(project, { 'supabase/.temp/project-ref': 'abcdefghijklmnopqrst' })
  const { env } = process
  env.ASKBACK_MANAGEMENT_URL = management.url
  env.SUPABASE_ACCESS_TOKEN = 'sbp_token'
  targets.linked = await openLinked(project)
  targets['by URL'] = { kind: 'database', ...(await openDatabase(database.url)) }
  close = async () => {
    await targets['by URL'].close()
    await management.close()
    delete env.ASKBACK_MANAGEMENT_URL
    delete env.SUPABASE_ACCESS_TOKEN
  }
})
afterAll(async () => {
  await close()
  rmSync(project, { recursive: true, force: true })
})

beforeEach(async () => {
  await database.sql.unsafe(`
    drop schema if exists vault cascade;
    drop schema if exists net cascade;
    drop schema if exists cron cascade;
    update askback.clock set ticked_at = null, called_at = null, request_id = null, came_at = null, trouble = null,
      status = null, chain = null, chain_until = null;`)
})

const run = (...parts: string[]) => database.sql.unsafe(parts.join(';\n'))
const tick = 'select askback.wake_chat()'
const come = 'select askback.take_due_runs(20)'
const answered = (facts: string) =>
  `insert into net._http_response (id, status_code, timed_out) values (1, ${facts})`
const everything = [vault, pgNet, pgCron, secrets]

/** Each state, what makes it, and what doctor says of it. */
const states: [state: string, parts: string[], finding: RegExp][] = [
  ['nothing is there', [], /^note This PostgreSQL has no pg_cron, .+ POST \/functions\/v1\/chat\/clock /],
  [
    'a scheduler of the team',
    [come],
    /^ok Something other than pg_cron resumes waiting runs; it last called at 20/,
  ],
  ['no pg_net', [vault, pgCron, secrets], /^fail pg_net is not enabled, /],
  ['no Vault', [pgNet, pgCron], /^fail There is no Vault, /],
  [
    'an empty Vault',
    [pgNet, pgCron, vault],
    /^fail The Vault lacks askback_chat_url and askback_function_secret, .+ select vault\.create_secret\('.+', 'askback_function_secret'\);$/,
  ],
  [
    'no address',
    [...everything, "delete from vault.secrets where name = 'askback_chat_url'"],
    /^fail The Vault lacks askback_chat_url, /,
  ],
  [
    'no job',
    [...everything, 'delete from cron.job'],
    /^fail The clock is not scheduled\. .+ select cron\.schedule\(/,
  ],
  [
    'the job is off',
    [...everything, 'update cron.job set active = false'],
    /^fail The clock's job is switched off\. .+ select cron\.alter_job\(1, active := true\);$/,
  ],
  [
    'the job fails',
    [
      ...everything,
      `insert into cron.job_run_details (jobid, runid, status, return_message, end_time)
       values (1, 1, 'failed', 'ERROR: no', now())`,
    ],
    /^fail The clock's job fails\. /,
  ],
  ['not yet', everything, /^note The clock's job has not run yet\. /],
  ['just called', [...everything, tick], /^note The clock's first request is on its way /],
  [
    'a wrong secret',
    [...everything, tick, answered('401, false'), tick],
    /^fail The function refuses the clock \(status 401\)/,
  ],
  [
    'a wrong path',
    [...everything, tick, answered('404, false'), tick],
    /^fail There is no function at the Vault's /,
  ],
  [
    'a wrong host',
    [...everything, tick, answered('null, true'), tick],
    /^fail Nothing answers at the Vault's /,
  ],
  [
    'a function that fails',
    [...everything, tick, answered('503, false'), tick],
    /^fail The function answers the clock with status 503\./,
  ],
  [
    'silence',
    [...everything, tick, "update askback.clock set called_at = now() - interval '2 minutes'"],
    /^fail The clock's requests do not reach the function; no request has ever arrived\. /,
  ],
  [
    'pg_cron stopped',
    [
      ...everything,
      tick,
      come,
      "update askback.clock set ticked_at = now() - interval '1 day', came_at = now() - interval '1 day'",
    ],
    /^fail The clock stopped: pg_cron has not run its job for 5 minutes; the last request arrived at 20/,
  ],
  [
    'all is well',
    [...everything, tick, come, answered('202, false'), tick],
    /^ok pg_cron resumes waiting runs; the clock last called at 20/,
  ],
]

describe.each(['by URL', 'linked'] as const)('doctor %s tells the truth about the clock', (way) => {
  test.each(states)('%s', async (_, parts, finding) => {
    await run(...parts)
    const findings = await checkDatabase({ ...targets[way], kind: 'linked' }, schemaVersion, 'chat')
    const said = findings.map(({ level, text }) => `${level} ${text}`)
    expect(said.filter((text) => finding.test(text))).toEqual([expect.any(String)])
    // And nothing else fails, or is an error of SQL.
    expect(said.filter((text) => text.startsWith('fail') && !finding.test(text))).toEqual([])
    expect(said.filter((text) => /Cannot tell|permission denied|ERROR|does not exist/.test(text))).toEqual([])
  })
})

test('doctor says in a sentence what it may not read, and goes on', async () => {
  await database.sql`revoke execute on function askback.version() from pg_read_all_data`
  const findings = await checkDatabase(targets.linked, schemaVersion, 'chat')
  await database.sql`grant execute on function askback.version() to pg_read_all_data`
  const texts = findings.map(({ text }) => text)
  expect(texts).toContain(
    'Cannot tell which version the database has. The role that doctor uses may not read it. Push the migrations: supabase db push',
  )
  expect(texts).toContain('Users and functions have their rights in the schema "askback"')
})

test('doctor reads an offered function that is gone, as whoever may only read', async () => {
  await db.createUser()
  await database.sql.unsafe(`
    create function public.note_it(title text) returns void language sql as $$ $$;
    grant execute on function public.note_it to authenticated;
    select askback.offer_function('public.note_it');
    drop function public.note_it`)
  const findings = await checkDatabase(targets.linked, schemaVersion, 'chat')
  await database.sql`select askback.withdraw_function('public.note_it')`
  expect(findings.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Agents are offered public\.note_it, which is gone\./),
  )
})
