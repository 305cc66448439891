import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkClock } from '../../cli/doctor/database/clock.ts'
import { openDatabase } from '../../cli/doctor/open-database.ts'
import { readKeys } from '../../local/data-directory/keys.ts'
import { schemaVersion } from '../../shared/server/version.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { signUp } from '../../support/chat-user.ts'
import { startTestDatabase, supabaseDirectory, type TestDatabase } from '../../support/database.ts'
import { say } from '../../support/model-server.ts'
import { parkRuns } from '../../support/parked-runs.ts'
import { makePostgresWithCron } from '../../support/pg-cron.ts'
import { clockSecrets, pgNet, sendQueued, vault } from '../../support/supabase-parts.ts'

const found = makePostgresWithCron()
if ('missing' in found) console.log(`The clock is not tried on pg_cron: ${found.missing}.`)

describe.skipIf('missing' in found)('with pg_cron 1.4 on PostgreSQL 15', () => {
  const binaries = 'binaries' in found ? found.binaries : ''
  let database: TestDatabase
  let chat: ChatStack
  beforeAll(async () => {
    database = await startTestDatabase({ binaries })
    chat = await startChatStack({ DATABASE_URL: database.adminUrl })
  }, 120_000)
  afterAll(async () => {
    await chat?.stop()
    await database?.close()
    rmSync(binaries, { recursive: true, force: true })
  })

  it('the job is scheduled every minute, since this pg_cron refuses seconds', async () => {
    expect(await database.sql`select jobname, schedule, command, username, active from cron.job`).toEqual([
      {
        jobname: 'askback-clock',
        schedule: '* * * * *',
        command: 'select askback.wake_chat()',
        username: 'postgres',
        active: true,
      },
    ])
  })

  it('an extension that is there is not created again, and a job of the team stays', async () => {
    const { sql } = database
    const project = postgres(database.url, { max: 1, onnotice: () => {} })
    await sql.unsafe(`
      create table public.created (command text);
      create function public.note_creation() returns event_trigger language plpgsql security definer as
      'begin insert into public.created values (tg_tag); end';
      create event trigger note_creation on ddl_command_start when tag in ('CREATE EXTENSION')
      execute function public.note_creation()`)
    await project`select cron.schedule('of the team', '0 4 * * *', 'select 1')`
    const migration = readFileSync(join(supabaseDirectory, 'migrations/20261122000940_clock.sql'), 'utf8')
    const blocks = migration.match(/^do \$\$$.*?^\$\$;$/gms) ?? []
    expect(blocks).toHaveLength(2)
    for (const block of blocks) await project.unsafe(block)
    await project.end()
    await sql`drop event trigger note_creation`
    expect(await sql`select * from public.created`).toEqual([])
    expect(await sql`select jobname from cron.job order by 1`).toEqual([
      { jobname: 'askback-clock' },
      { jobname: 'of the team' },
    ])
  })

  it('doctor schedules the job as this pg_cron takes it, and creates the extension where it is not', async () => {
    const { sql } = database
    const project = postgres(database.url, { max: 1, onnotice: () => {} })
    const { query, close } = await openDatabase(database.url)
    const adviceFor = async (loss: string) => {
      await sql.unsafe(loss)
      const { text } = await checkClock({ query, kind: 'linked', code: schemaVersion, chat: 'chat' })
      return text.split('Run in the SQL editor: ')[1] ?? text
    }
    const jobs = () => sql`select schedule, command from cron.job where jobname = 'askback-clock'`
    const job = [{ schedule: '* * * * *', command: 'select askback.wake_chat()' }]
    await sql.unsafe(vault + pgNet + clockSecrets('https://project.supabase.co/functions/v1/chat', 'secret'))
    await project.unsafe(await adviceFor("delete from cron.job where jobname = 'askback-clock'"))
    expect(await jobs()).toEqual(job)
    await project.unsafe(await adviceFor('drop extension pg_cron'))
    expect(await jobs()).toEqual(job)
    await sql`drop schema vault cascade`
    await sql`drop schema net cascade`
    await Promise.all([close(), project.end()])
  })

  it('a parked run wakes by the real job, and its log is pruned', async () => {
    const { sql } = database
    await sql.unsafe(vault + pgNet)
    const secret = readKeys(chat.stack.dataDirectory).functionSecret
    await sql.unsafe(clockSecrets(`${chat.stack.url}/functions/v1/chat`, secret))
    await sql.unsafe(`
      insert into cron.job_run_details (jobid, runid, command, status, start_time, end_time)
      select jobid, -1, command, 'succeeded', now() - interval '2 days', now() - interval '2 days' from cron.job where jobname = 'askback-clock';
      insert into cron.job_run_details (jobid, runid, command, status, start_time, end_time)
      values (0, -2, 'of the team', 'succeeded', now() - interval '2 days', now() - interval '2 days')`)
    const stop = new AbortController()
    const sending = sendQueued(sql, stop.signal)
    onTestFinished(async () => {
      stop.abort()
      await sending
    })
    const user = await signUp(chat.stack)
    chat.model.use(() => say('Here I am again.'))
    await parkRuns(sql, user.id, 1)
    const conversation = () => user.get('/conversations/parked-1')
    await expect
      .poll(conversation, { timeout: 150_000, interval: 500 })
      .toMatchObject({ body: { status: 'completed', pending: [] } })
    const [runs] =
      await sql`select count(*)::int as count from cron.job_run_details where status = 'succeeded' and runid > 0`
    expect(runs?.count).toBeGreaterThan(0)
    expect(await sql`select runid::int from cron.job_run_details where runid < 0`).toEqual([{ runid: -2 }])
  }, 200_000)
})
