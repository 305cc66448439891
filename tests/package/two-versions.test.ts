import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { environment, installed } from '../../scripts/platform.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { schemaVersion } from '../../shared/server/version.ts'
import { askback } from '../../support/askback-command.ts'
import { type ChatUser, giveAgent, signInDemo, withDatabase } from '../../support/chat-user.ts'
import { startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { decisionOn } from '../../support/decision.ts'
import { type DevelopedProject, develop } from '../../support/developed-project.ts'
import { startLoneFunction } from '../../support/lone-function.ts'
import { callTool, type ModelServer, say, startModelServer } from '../../support/model-server.ts'
import { makeNextPackage, nextSchema, nextVersion } from '../../support/next-package.ts'
import type { TestStack } from '../../support/stack.ts'
import { makeSupabaseProject, readFiles, writeFiles } from '../../support/supabase-project.ts'
import { postgresOf } from '../../support/test-postgres.ts'

// A project with data goes from this version of the package to the next one and back, as a team does it: with the
// Supabase CLI, on the PostgreSQL of hosted projects.

const run = promisify(execFile)
/** `pg_dump` and `psql`, which npm has not; they read servers of their own version. */
const clients = '/usr/lib/postgresql/15/bin'
const binaries = existsSync(join(clients, 'pg_dump')) ? postgresOf(15) : undefined
if (!binaries)
  console.log(
    'PostgreSQL 15 and its pg_dump are not both here, so no project goes from one version to the next.',
  )
const newFolder = () => mkdtempSync(join(tmpdir(), 'askback-versions-'))

describe.skipIf(!binaries)('from one version of the package to the next', () => {
  let database: TestDatabase
  let model: ModelServer
  let next: string
  /** The project as deployed, and as upgraded. */
  let folder: string
  let upgraded: string
  let running: DevelopedProject
  const folders: string[] = []
  beforeAll(async () => {
    const empty = join(newFolder(), 'supabase')
    writeFiles(empty, { 'migrations/.keep': '' })
    ;[database, model, next] = await Promise.all([
      startTestDatabase({ binaries: String(binaries), supabase: empty }),
      startModelServer([]),
      makeNextPackage(),
    ])
    folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    upgraded = newFolder()
    folders.push(folder, upgraded, next, join(empty, '..'))
  })
  afterAll(async () => {
    await running?.stop()
    await model?.close()
    await database?.close()
    for (const one of folders) rmSync(one, { recursive: true, force: true })
  })

  const push = (from: string) =>
    run(installed('supabase'), ['db', 'push', '--db-url', `${database.url}?sslmode=disable`, '--yes'], {
      cwd: from,
      env: environment,
    })
  const modelSettings = () => ({
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
  })
  const start = async (from: string, url = database.adminUrl) => {
    // The test is the clock.
    running = await develop(from, [], {
      ...modelSettings(),
      DATABASE_URL: url,
      ASKBACK_CLOCK_SECONDS: '3600',
    })
  }
  const stack = () => {
    const { publishableKey, secretKey, ...file } = running.stack()
    return { ...file, keys: { publishableKey, secretKey } } as unknown as TestStack
  }
  const mails = async () =>
    ((await (await fetch(`${running.url}/inbox/messages`)).json()) as { subject: string }[]).map(
      ({ subject }) => subject,
    )
  const secrets = () => parseEnv(readFiles(folder)['supabase/functions/.env'] ?? '')
  const tick = async () =>
    fetch(`${running.url}/functions/v1/chat/clock`, {
      method: 'POST',
      headers: { [clockHeader]: await signClock(String(secrets().ASKBACK_FUNCTION_SECRET)) },
    })
  const limit = (user: ChatUser, calls: number) =>
    withDatabase(
      stack(),
      (sql) => sql`
        insert into askback.limits (scope, subject, measure, per, value) values ('user', ${user.id}, 'model_calls', 'hour', ${calls})
        on conflict (scope, subject, measure, per, tool) do update set value = excluded.value`,
    )
  const mail = (subject: string) =>
    callTool('smtp_send_email', { to: ['ada@example.com'], subject, body: 'Hello Ada' })
  const hello = 'Say hello to ada@example.com'
  const conversation = async (user: ChatUser, id: string) => (await user.get(`/conversations/${id}`)).body
  const conversations = async (user: ChatUser) => {
    const { body } = await user.get('/conversations')
    const { conversations: list } = body as { conversations: { id: string }[] }
    return [list, ...(await Promise.all(list.map(({ id }) => conversation(user, id))))]
  }

  it('loses nothing, and sends nothing twice', async () => {
    await push(folder)
    await start(folder)
    let user = await signInDemo(stack())
    const [asks, sends] = [
      await giveAgent(stack(), user.id, 'always'),
      await giveAgent(stack(), user.id, 'never'),
    ]

    // What is under way: an answer that is over, one that was interrupted after its mail, and one that waits for a person.
    await limit(user, 1)
    model.use([mail('Parked')])
    const parked = await user.post({ agentId: sends, id: 'parked', message: hello })
    expect(parked.answer.status).toBe('waiting')
    await limit(user, 100)
    model.use([say('Hello.'), mail('Approved')])
    expect((await user.post({ agentId: asks, id: 'over', message: 'Hello' })).answer.text).toBe('Hello.')
    const { answer } = await user.post({ agentId: asks, id: 'asked', message: hello })
    expect(answer.pending).toMatchObject([{ type: 'approval' }])
    const decision = decisionOn(answer.pending?.[0], 'approve')
    expect(await mails()).toEqual(['Parked'])
    const before = await conversations(user)
    const dump = join(newFolder(), 'before.sql')
    execFileSync(join(clients, 'pg_dump'), [database.adminUrl, '--file', dump])

    // The upgrade is written, and nothing of it is deployed.
    cpSync(folder, upgraded, { recursive: true })
    const command = join(next, 'bin/askback.js')
    const { stdout } = await run(process.execPath, [command, 'upgrade', '--yes'], { cwd: upgraded })
    expect(stdout).toContain('- Conversations have colours.')

    // Functions that are deployed too early are refused, and store nothing.
    const { secretKey } = running.stack()
    const early = await startLoneFunction({
      deno: findDeno(),
      folder: upgraded,
      slug: 'chat',
      flags: ['--no-config'],
      env: {
        ...(secrets() as Record<string, string>),
        ...modelSettings(),
        SUPABASE_URL: running.url,
        SUPABASE_SERVICE_ROLE_KEY: secretKey,
        ASKBACK_JWT_SECRET: readKeys(join(folder, '.askback')).jwtSecret,
      },
    })
    const refused = await fetch(early.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: sends, id: 'early', message: hello }),
    })
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, 'version_not_accepted'])
    expect(await conversations(user)).toEqual(before)

    // The database goes first; the functions from before work on with it, and those of the new version answer, too.
    await push(upgraded)
    expect(await conversations(user)).toEqual(before)
    model.use([say('Old code.'), say('New code.')])
    expect((await user.post({ agentId: asks, id: 'over', message: 'Again' })).answer.text).toBe('Old code.')
    const mixed = await fetch(early.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ agentId: asks, id: 'over', message: 'And again' }),
    })
    expect((await mixed.json()).text).toBe('New code.')
    early.stop()
    const [, ...details] = await conversations(user)
    await running.stop()

    // Then the functions follow.
    await start(upgraded)
    user = await signInDemo(stack())
    expect((await (await fetch(`${running.url}/functions/v1/chat/health`)).json()).version).toBe(nextVersion)
    const [, ...detailsAfter] = await conversations(user)
    expect(detailsAfter).toEqual(details)
    model.use([say('The mail to Ada is sent.')])
    await tick()
    await expect
      .poll(async () => JSON.stringify(await conversation(user, 'parked')))
      .toContain('The mail to Ada is sent.')
    model.use([say('Sent.')])
    const approved = [
      await user.post(decision, { path: '/asked/approval' }),
      await user.post(decision, { path: '/asked/approval' }),
    ]
    expect(approved).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(approved[0]?.answer.text).toBe('Sent.')
    expect(await mails()).toEqual(['Approved'])
    const [row] = await running.sql(
      'select askback.version() as version, count(colour)::int as n from askback.conversations',
    )
    expect(row).toEqual({ version: { schema: nextSchema, accepts: [schemaVersion, nextSchema] }, n: 3 })
    await running.stop()

    // Back: the dump in a new database, and the functions from before.
    await database.sql.unsafe('create database back')
    const back = Object.assign(new URL(database.adminUrl), { pathname: '/back' }).href
    execFileSync(join(clients, 'psql'), [back, '-q', '-v', 'ON_ERROR_STOP=1', '-f', dump], {
      stdio: 'pipe',
    })
    await start(folder, back)
    user = await signInDemo(stack())
    expect(await conversations(user)).toEqual(before)
    model.use([say('Sent.')])
    expect((await user.post(decision, { path: '/asked/approval' })).answer.text).toBe('Sent.')
    expect(await mails()).toEqual(['Approved'])
  }, 240_000)
})
