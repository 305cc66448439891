import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForEnd } from '../../local/process/running-process.ts'
import { askback } from '../../support/askback-command.ts'
import { supabaseDirectory } from '../../support/database.ts'
import { type DevelopedProject, develop } from '../../support/developed-project.ts'
import { makeSupabaseProject } from '../../support/supabase-project.ts'

/** A project of somebody else: tables, a seed, functions of all kinds, and the tables of Askback. */
function makeProject(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'askback-project-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const config = `# Ours since 2024.
project_id = "shop"
[api]
schemas = ["public", "graphql_public", "askback"]
auto_expose_new_tables = true
[db.seed]
sql_paths = ["./seeds/*.sql"]
[functions.off]
enabled = false
[functions.elsewhere]
verify_jwt = false
entrypoint = "./functions/other/main.ts"
import_map = "./functions/other/imports.json"
[functions.open]
verify_jwt = false
[functions.jsr]
verify_jwt = false
[functions.template]
verify_jwt = false
`
const files = {
  'supabase/config.toml': config,
  'supabase/migrations/20260101000000_notes.sql': `
    create table public.notes (id uuid primary key default uuid_generate_v4(), text text not null);
    alter table public.notes enable row level security;
    create policy "anybody reads" on public.notes for select to anon using (true);
    grant select on public.notes to anon;
    create table public.letters (id int);`,
  'supabase/seeds/1.sql': "insert into public.notes (text) values ('first');",
  'supabase/seeds/2.sql': "insert into public.notes (text) select text || ', second' from public.notes;",
  'supabase/functions/off/index.ts': 'Deno.serve(() => new Response())',
  'supabase/functions/guarded/index.ts': 'Deno.serve(() => new Response("let in"))',
  'supabase/functions/other/main.ts': 'import { word } from "words"; Deno.serve(() => new Response(word))',
  'supabase/functions/other/imports.json': '{ "imports": { "words": "./words.ts" } }',
  'supabase/functions/other/words.ts': 'export const word = "elsewhere"',
  'supabase/functions/open/index.ts': 'Deno.serve(() => Response.json(Deno.env.toObject()))',
  'supabase/functions/jsr/index.ts':
    'import { encodeHex } from "jsr:@nobody/here@1/hex"\nDeno.serve(() => new Response(encodeHex("a")))',
  // As `supabase functions new` makes it, with the part of @supabase/server that needs no network.
  'supabase/functions/template/deno.json':
    '{ "imports": { "@supabase/functions-js": "jsr:@supabase/functions-js@^2" } }',
  'supabase/functions/template/index.ts': `
    import "@supabase/functions-js/edge-runtime.d.ts";
    import "jsr:@supabase/functions-js@2/edge-runtime.d.ts";
    export default { fetch: async (req: Request) => Response.json({ message: \`Hello \${(await req.json()).name}!\` }) };`,
  'supabase/functions/.env': 'OWN_SETTING=mine\nASKBACK_FUNCTION_SECRET=the-secret-of-the-project\n',
}

describe('askback dev', () => {
  let folder: string
  let running: DevelopedProject
  beforeAll(async () => {
    folder = makeProject(files)
    cpSync(join(supabaseDirectory, 'migrations'), join(folder, 'supabase/migrations'), { recursive: true })
    running = await develop(folder)
  })
  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const call = (path: string, init: RequestInit = {}) => fetch(`${running.url}/functions/v1/${path}`, init)

  it('has the tables of the project and those of Askback, and the seeds in their order', async () => {
    const { url, publishableKey } = running.stack()
    const headers = { apikey: publishableKey }
    const notes = await (await fetch(`${url}/rest/v1/notes?select=text&order=text`, { headers })).json()
    expect(notes).toEqual([{ text: 'first' }, { text: 'first, second' }])
    expect(
      (await fetch(`${url}/rest/v1/tools`, { headers: { ...headers, 'accept-profile': 'askback' } })).status,
    ).toBe(401)
  })

  it('exposes tables without a grant, where config.toml says so', async () => {
    const { url, publishableKey } = running.stack()
    const answer = await fetch(`${url}/rest/v1/letters`, { headers: { apikey: publishableKey } })
    expect([answer.status, await answer.json()]).toEqual([200, []])
  })

  it('serves the functions that config.toml describes', async () => {
    expect(await (await call('elsewhere')).text()).toBe('elsewhere')
    expect((await (await call('off')).json()).error.message).toBe(
      'There is no function "off". The functions here: elsewhere, guarded, jsr, open, template.',
    )
  })

  it('runs a function as `supabase functions new` makes it', async () => {
    const answer = await call('template', { method: 'POST', body: '{"name":"Functions"}' })
    expect(await answer.json()).toEqual({ message: 'Hello Functions!' })
  })

  it('checks the token where verify_jwt says so', async () => {
    const { publishableKey, demoUser } = running.stack()
    const session = await fetch(`${running.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(demoUser),
    })
    const authorization = `Bearer ${(await session.json()).access_token}`
    expect(await (await call('guarded', { headers: { authorization } })).text()).toBe('let in')
    const refused = [
      await call('guarded'),
      await call('guarded', { headers: { authorization: `${authorization}x` } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401])
    expect((await refused[0]?.json())?.error.message).toBe('Missing authorization header')
    expect((await call('guarded', { method: 'OPTIONS' })).status).toBe(200)
  })

  it('gives functions the keys of the project, as Supabase does, and their own settings', async () => {
    const { publishableKey, secretKey } = running.stack()
    const env = await (await call('open')).json()
    expect(env).toMatchObject({
      OWN_SETTING: 'mine',
      ASKBACK_FUNCTION_SECRET: 'the-secret-of-the-project',
      SUPABASE_URL: running.url,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishableKey }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    })
    expect(JSON.parse(env.SUPABASE_JWKS).keys).toMatchObject([{ kty: 'oct', alg: 'HS256' }])
  })

  it('says in one sentence that a package of JSR cannot be had', async () => {
    const { error } = await (await call('jsr')).json()
    expect(error.message).toMatch(/^The function "jsr" could not start: it imports jsr:@nobody\/here, .+\.$/)
  })

  it('runs new code, and new functions, from the next request on', async () => {
    writeFileSync(join(folder, 'supabase/functions/other/words.ts'), 'export const word = "changed"')
    await expect.poll(async () => await (await call('elsewhere')).text()).toBe('changed')
    mkdirSync(join(folder, 'supabase/functions/added'))
    writeFileSync(join(folder, 'supabase/functions/added/index.ts'), 'Deno.serve(() => new Response())')
    expect((await call('added')).status).toBe(401)
  })

  it('says what it takes over at its next start only, once for each', async () => {
    const change = (path: string, text: string) => writeFileSync(join(folder, 'supabase', path), text)
    const said = (path: string) =>
      running.lines.filter((line) => line.startsWith(`supabase/${path} has changed.`))
    change('config.toml', config)
    change('migrations/20990101000000_later.sql', 'select 1;')
    change('config.toml', `${config}# More.\n`)
    change('functions/.env', files['supabase/functions/.env'].replace('mine', 'yours'))
    for (const path of ['migrations', 'config.toml', 'functions/.env'])
      await expect.poll(() => said(path)).toHaveLength(1)
    change('config.toml', config)
    change('functions/.env', files['supabase/functions/.env'])
    rmSync(join(folder, 'supabase/migrations/20990101000000_later.sql'))
  })

  it('serves our web app and the inbox', async () => {
    expect(await (await fetch(running.url)).text()).toContain('<title>Askback')
    expect(await (await fetch(`${running.url}/inbox/messages`)).json()).toEqual([])
  })

  it('is what `askback doctor` looks at', async () => {
    const { stdout } = await askback(folder, ['doctor'], { OPENAI_API_KEY: '' })
    expect(stdout).toContain(`ok    \`askback dev\` runs at ${running.url}\n`)
    expect(stdout).toContain('ok    The Data API exposes the schema "askback"\n')
    expect(stdout).toMatch(/ok {4}The database is of version \d+ and accepts/)
    expect(stdout).toMatch(/ok {4}Deno 2\.9\.\d+, for `askback dev`/)
    // A function of that name would be the project's own.
    expect(stdout).not.toContain('The function "chat"')
  })

  it('keeps its data out of git, and out of reach of functions', async () => {
    expect(readFileSync(join(folder, '.askback/.gitignore'), 'utf8')).toBe('*\n')
    const thief = `Deno.serve(async () => new Response(await Deno.readTextFile(${JSON.stringify(join(folder, '.askback/keys.json'))})))`
    writeFileSync(join(folder, 'supabase/functions/open/index.ts'), thief)
    await expect.poll(async () => (await call('open')).status).toBe(500)
  })

  it('ends with 1 where the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const other = makeProject({ 'supabase/config.toml': `[api]\nport = ${port}\n` })
    symlinkSync(join(folder, 'node_modules'), join(other, 'node_modules'))
    const { code, stdout, stderr } = await askback(other, ['dev'], { ASKBACK_PORT: '' })
    server.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^Port ${port} is already in use, .+\\n$`))
  })

  it('starts where it ended, without the seeds, and over with --reset', async () => {
    const { url, publishableKey } = running.stack()
    const add = async (text: string) =>
      await running.sql(`insert into public.notes (text) values ('${text}')`)
    const texts = async () =>
      (await running.sql('select text from public.notes order by text')).map((row) => row.text)
    await add('third')
    await running.stop()
    running = await develop(folder)
    expect(await texts()).toEqual(['first', 'first, second', 'third'])
    await running.stop()
    running = await develop(folder, ['--reset'])
    expect(await texts()).toEqual(['first', 'first, second'])
    // What the app knows of the stack is still right.
    expect(running.stack()).toMatchObject({ url: expect.any(String), publishableKey })
    expect(url).toMatch(/^http/)
  })

  it('ends with the program that started it, also when that is killed while it starts', async () => {
    await running.stop()
    const command = join(process.env.ASKBACK_TEST_PACKAGE ?? '', 'bin/askback.js')
    const program = `
      const options = { cwd: ${JSON.stringify(folder)}, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
      const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(command)}, 'dev'], options)
      console.log(child.pid)`
    const starter = spawn(process.execPath, ['-e', program], { env: { ...process.env, ASKBACK_PORT: '0' } })
    const [line] = await once(starter.stdout, 'data')
    starter.kill('SIGKILL')
    expect(await waitForEnd(Number(line), 30_000)).toBe(true)
  })
})

describe('a project to which Askback was added', () => {
  let folder: string
  let running: DevelopedProject
  beforeAll(async () => {
    folder = makeSupabaseProject({
      'supabase/functions/chat/index.ts': 'Deno.serve(() => new Response("theirs"))',
    })
    const words = ['add', '--yes', '--name', 'chat=assistant', '--integrations', 'smtp,web-search']
    const added = await askback(folder, words)
    expect(added).toMatchObject({ code: 0, stderr: '' })
    running = await develop(folder)
  })
  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const post = (path: string, headers: Record<string, string>, body: unknown) =>
    fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signIn = async () => {
    const { demoUser, publishableKey } = running.stack()
    const session = await post('/auth/v1/token?grant_type=password', { apikey: publishableKey }, demoUser)
    return `Bearer ${(await session.json()).access_token}`
  }

  it('sends a mail by the functions as they are called there', async () => {
    const authorization = await signIn()
    const message = 'Send an email about the meeting to ada@example.com'
    const asked = await (await post('/functions/v1/assistant', { authorization }, { message })).json()
    expect(asked.status).toBe('needs_approval')
    const [{ toolCallId, approvalId }] = asked.pending
    const path = `/functions/v1/assistant/${asked.conversationId}/approval`
    const decision = { toolCallId, approvalId, decision: 'approve' }
    const answer = await (await post(path, { authorization }, decision)).json()
    expect(answer.status).toBe('completed')
    const mails = await (await fetch(`${running.url}/inbox/messages`)).json()
    expect(mails.map((mail: { to: string[] }) => mail.to)).toEqual([['ada@example.com']])
    expect((await post('/functions/v1/chat', {}, {})).status).toBe(401)
  })

  it('offers what was chosen, and what the project has of its own, to agents, users and operators', async () => {
    await running.sql(`
      insert into askback.integrations (id, source, name, description, service, purpose, function, connection)
      values ('weather', 'project', 'Weather', 'Tells the weather.', 'weather', 'tell the weather', 'weather-api', '{}')`)
    const headers = { authorization: await signIn() }
    const get = async (path: string) =>
      await (await fetch(`${running.url}/functions/v1/${path}`, { headers })).json()
    const chosen = [
      'smtp_send_email',
      'smtp_test_connection',
      'web_search',
      'news_search',
      'scrape_and_summarize',
    ]
    const { tools } = await get('assistant/tools')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(chosen)
    expect(tools[0]).toMatchObject({ title: 'Send email', providers: ['smtp'], offReason: null })
    const shared = await get('assistant/operator/tools')
    expect(shared.tools.map(({ name }: { name: string }) => name)).toEqual(chosen)
    const { providers } = await get('integration-settings')
    const ids = providers.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(['smtp', 'serper', 'weather', 'openai']))
    expect(ids).not.toContain('gmail')
    const refused = [
      await post('/functions/v1/integration-settings/connections', headers, {
        provider: 'gmail',
        values: {},
      }),
      await post('/functions/v1/integration-settings/oauth/start', headers, { provider: 'gmail' }),
    ]
    expect(await Promise.all(refused.map(async (one) => (await one.json()).error.code))).toEqual([
      'unknown_provider',
      'unknown_provider',
    ])
  })

  it('passes the checks of `askback doctor`', async () => {
    const { code, stdout } = await askback(folder, ['doctor'], { OPENAI_API_KEY: '' })
    expect(stdout).not.toMatch(/^fail/m)
    expect(code).toBe(0)
    expect(stdout).toContain('The function "assistant" answers')
  })
})

describe("a project's own integration, while askback dev runs", () => {
  const path = 'supabase/functions/tasks-api/integration.ts'
  let folder: string
  let running: DevelopedProject
  beforeAll(async () => {
    folder = makeSupabaseProject()
    expect(await askback(folder, ['add', '--yes', '--integrations', 'smtp'])).toMatchObject({ code: 0 })
    expect(await askback(folder, ['new-integration', 'tasks'])).toMatchObject({ code: 0 })
    running = await develop(folder)
  })
  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const edit = (before: string, after: string) =>
    writeFileSync(
      join(folder, path),
      readFileSync(join(folder, path), 'utf8').replaceAll(before, () => after),
    )
  const tools = async () => {
    const found = await running.sql("select name from askback.tools where source = 'project' order by name")
    return found.map(({ name }) => name)
  }

  it('is there without a migration', async () => {
    expect(await tools()).toEqual(['tasks_add', 'tasks_find'])
  })

  it('takes its changes over when they are saved', async () => {
    edit("'tasks_find'", "'tasks_search'")
    await expect.poll(tools).toEqual(['tasks_add', 'tasks_search'])
    await expect
      .poll(() => running.lines)
      .toContain('[integrations] the tools of tasks-api have changed and are in the database')
    expect(running.problems()).toBe('')
  })

  it('says in one sentence what is wrong with it, keeps the tools that it had, and goes on once it is right', async () => {
    edit('export const findParameters =', 'export const findParameters = =')
    await expect
      .poll(running.problems)
      .toMatch(
        /^\[integrations\] supabase\/functions\/tasks-api\/integration\.ts cannot be run: line \d+: .+\.\n$/,
      )
    edit('export const findParameters = =', 'export const findParameters =')
    edit("name: 'tasks-api'", "name: 'other'")
    const second =
      '[integrations] supabase/functions/tasks-api/integration.ts: it is named "other". Name it like its folder, "tasks-api".'
    await expect.poll(running.problems).toContain(`${second}\n`)
    expect(await tools()).toEqual(['tasks_add', 'tasks_search'])
    edit("name: 'other'", "name: 'tasks-api'")
    edit("'tasks_search'", "'tasks_look_up'")
    await expect.poll(tools).toEqual(['tasks_add', 'tasks_look_up'])
    expect(
      running
        .problems()
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('[integrations]')),
    ).toEqual([])
  })
})

describe('askback dev refuses', () => {
  it('a project without the package, and says where it comes from', async () => {
    const folder = makeProject({ 'supabase/config.toml': '' })
    const { code, stderr } = await askback(folder, ['dev'], { ASKBACK_REGISTRY: '' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^`askback dev` needs the package askback-local \d.+ in the project: npm install /)
  })

  it('another version of the package', async () => {
    const folder = makeProject({
      'supabase/config.toml': '',
      'node_modules/askback-local/package.json': '{"name":"askback-local","version":"9.9.9"}',
    })
    const { code, stderr } = await askback(folder, ['dev'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The project has askback-local 9\.9\.9, and this is askback /)
  })
})
