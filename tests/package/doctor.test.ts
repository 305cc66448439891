import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { environment } from '../../scripts/platform.ts'
import { schemaVersion, version } from '../../shared/server/version.ts'
import { askback } from '../../support/askback-command.ts'
import { startTestDatabase, type TestDatabase } from '../../support/database.ts'
import { type ModelServer, say, startModelServer } from '../../support/model-server.ts'
import { becomeVersion } from '../../support/schema-version.ts'
import { writeFiles } from '../../support/supabase-project.ts'

const folders: string[] = []
const servers: Server[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const secrets = {
  ASKBACK_CREDENTIALS_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  ASKBACK_FUNCTION_SECRET: 'the-function-secret-of-this-project',
}

const slugs = ['assistant', 'file-text', 'integration-settings', 'mcp', 'mcp-client']
let added: string
beforeAll(async () => {
  added = newFolder()
  writeFiles(added, { 'supabase/config.toml': '[api]\nport = 1\nschemas = ["public"]\n' })
  await askback(added, ['add', '--yes', '--name', 'chat=assistant', '--integrations', ','])
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'askback-doctor-'))
  folders.push(folder)
  return folder
}

/** A project as `askback add` leaves it, with other files. */
function makeProject(files: Record<string, string> = {}): string {
  const folder = newFolder()
  cpSync(added, folder, { recursive: true })
  const env = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
  writeFiles(folder, { 'supabase/functions/.env': env.join(''), ...files })
  return folder
}

const quiet = { OPENAI_API_KEY: '', LLM_PROVIDER: '', ASKBACK_PORT: '' }

/** What it says, by level; no secret is in it. */
async function examine(folder: string, flags: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await askback(folder, ['doctor', ...flags], { ...quiet, ...env })
  for (const secret of [...Object.values(secrets), 'sk-model-key', 'sbp_token', 'db-password'])
    expect(stdout + stderr).not.toContain(secret)
  const lines = stdout.split('\n').filter(Boolean)
  expect(lines.filter((line) => !/^(ok {2}|note|fail) {2}\S/.test(line))).toEqual([])
  const of = (level: string) =>
    lines.flatMap((line) => (line.startsWith(level) ? [line.slice(level.length).trim()] : []))
  return { code, stderr, ok: of('ok'), note: of('note'), fail: of('fail') }
}

async function listen(
  answer: (path: string, body: string) => [status: number, body: unknown],
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const [status, json] = answer(request.url ?? '', body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('an integration of the project’s own', () => {
  it('is said to lack words, by tool and language', async () => {
    const folder = makeProject()
    const base = 'supabase/functions/weather-api'
    expect((await askback(folder, ['new-integration', 'weather'])).code).toBe(0)
    const env = { PATH: `${dirname(findDeno())}:${process.env.PATH}`, DENO_DIR: environment.DENO_DIR ?? '' }
    expect((await examine(folder, [], env)).ok).toContain('Your own integrations say everything in de')
    const words = readFileSync(join(folder, base, 'words.ts'), 'utf8')
    writeFiles(folder, {
      [`${base}/words.ts`]: words
        .replace(/hint: 'Bitte nenne den [^']*',/, '')
        .replace('de: {', 'fr: { tools: {}, providers: {} }, de: {'),
    })
    expect((await examine(folder, [], env)).note).toEqual(
      expect.arrayContaining([
        '"weather_add" is English for readers of "de", because its words lack fields["title"].hint.',
        '"weather_find" is English for readers of "fr", because its words lack everything.',
      ]),
    )
    writeFiles(folder, { [`${base}/integration.ts`]: 'export const integration = {' })
    expect((await examine(folder, [], env)).note).toContainEqual(
      expect.stringContaining(
        `Cannot tell which words weather-api lacks. ${base}/integration.ts cannot be run: `,
      ),
    )
  }, 120_000)
})

describe('askback doctor on files', () => {
  it('knows a project to which nothing was added', async () => {
    const folder = makeProject()
    rmSync(join(folder, 'supabase/functions/_askback'), { recursive: true })
    const { code, ok, note, fail } = await examine(folder, [])
    expect(code).toBe(1)
    expect(note.filter((text) => text.includes('functions/.env'))).toEqual([])
    expect(ok).toContain(`Node ${process.versions.node}`)
    expect(fail).toEqual([`Askback was not added to ${folder}. Add it: npx askback add`])
  })

  it('finds nothing wrong with a project that was just prepared, and notes what is still to do', async () => {
    const { code, ok, note, fail } = await examine(makeProject(), [])
    expect({ code, fail }).toEqual({ code: 0, fail: [] })
    expect(ok).toContain('supabase/config.toml exposes the schema "askback"')
    expect(note).toContainEqual(
      expect.stringContaining('No model is set up. Put a key into supabase/functions/.env'),
    )
    expect(note).toContainEqual(expect.stringContaining('No database was checked.'))
  })

  it('says what is missing in the files, and how to mend each', async () => {
    const folder = makeProject({
      'supabase/config.toml': '[api]\nschemas = ["public"]\n',
      'supabase/functions/.env': 'ASKBACK_CREDENTIALS_KEYS=short\n',
      'supabase/functions/_askback/askback.json': JSON.stringify({
        version: '0.0.1',
        schema: schemaVersion,
        functions: { chat: 'assistant' },
        own: [],
        files: {},
      }),
    })
    rmSync(join(folder, 'supabase/migrations'), { recursive: true })
    const { code, note, fail } = await examine(folder, [])
    expect(code).toBe(1)
    expect(fail).toEqual([
      'The migration of version 1 is missing. Write it: npx askback upgrade',
      'supabase/config.toml does not expose the schema "askback". Add it to api.schemas: npx askback add',
      'supabase/config.toml lacks verify_jwt = false for assistant. Write it: npx askback add',
      'ASKBACK_CREDENTIALS_KEYS cannot be used. It has to be like id:base64, with 32 bytes, several separated by commas.',
    ])
    expect(note).toContainEqual(
      `The functions are of askback 0.0.1, and this is ${version}. Upgrade them: npx askback upgrade`,
    )
  })
})

describe('askback doctor on files of Askback', () => {
  it('names those that are missing, and how to write them', async () => {
    const folder = makeProject()
    const bundle = 'supabase/functions/_askback/bundles/chat.js'
    rmSync(join(folder, bundle))
    const { code, fail } = await examine(folder, [])
    expect({ code, fail }).toEqual({
      code: 1,
      fail: [`Missing or old: ${bundle}. Write them: npx askback upgrade`],
    })
  })

  it('notes those that were changed by hand', async () => {
    const index = 'supabase/functions/file-text/index.ts'
    const { code, note } = await examine(makeProject({ [index]: '// ours\n' }), [])
    expect(code).toBe(0)
    expect(note).toContain(`${index} was changed by hand. If that was a mistake: npx askback upgrade --force`)
  })
})

describe('askback doctor on a database', () => {
  let database: TestDatabase
  let model: ModelServer
  beforeAll(async () => {
    database = await startTestDatabase()
    model = await startModelServer([], { apiKey: 'sk-model-key' })
  })
  afterAll(async () => {
    await model?.close()
    await database?.close()
  })
  afterEach(() => becomeVersion(database.sql, schemaVersion))

  const withModel = () => ({
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-model-key',
    OPENAI_MODEL: 'small',
  })

  it('is content with one that is of this version, and with a model that answers', async () => {
    model.use([say('ok')])
    const { code, ok, note, fail } = await examine(makeProject(), ['--db-url', database.url], withModel())
    expect({ code, fail }).toEqual({ code: 0, fail: [] })
    expect(ok).toContain(
      `The database is of version ${schemaVersion} and accepts the code of version ${schemaVersion}`,
    )
    expect(ok).toContain('Users and functions have their rights in the schema "askback"')
    expect(ok).toContain('The model small answers')
    expect(note).toContainEqual(
      expect.stringMatching(/has no pg_cron, .+ POST \/functions\/v1\/assistant\/clock /),
    )
    expect(note).toContainEqual(
      expect.stringMatching(/^OPENAI_BASE_URL leads to this machine, which hosted functions cannot reach/),
    )
  })

  it('fails without a model, and where the model refuses its key', async () => {
    const flags = ['--db-url', database.url]
    expect((await examine(makeProject(), flags)).fail).toEqual([
      'No model is set up. Put a key into supabase/functions/.env, like OPENAI_API_KEY=…',
    ])
    const { code, fail } = await examine(makeProject(), flags, { ...withModel(), OPENAI_API_KEY: 'sk-other' })
    expect(code).toBe(1)
    expect(fail).toEqual([expect.stringMatching(/^The model does not answer: ./)])
  })

  it('tells an older database from a newer one', async () => {
    const flags = ['--db-url', database.url]
    await becomeVersion(database.sql, schemaVersion + 2)
    expect((await examine(makeProject(), flags)).fail).toContainEqual(
      expect.stringContaining('Upgrade the functions: npx askback upgrade, then supabase functions deploy'),
    )
    await becomeVersion(database.sql, schemaVersion - 1)
    expect((await examine(makeProject(), flags)).fail).toContainEqual(
      expect.stringContaining('Push the migrations: supabase db push'),
    )
  })

  it('finds rights that are gone, tables that nobody was granted, and mail ports that are blocked', async () => {
    await database.sql.unsafe(`
      revoke usage on schema askback from authenticated;
      create table public.orders (id int);
      create table public.shown (id int);
      grant select on public.shown to authenticated;
      insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@example.com');
      insert into askback.connections (user_id, provider, metadata)
      values ('00000000-0000-4000-8000-000000000001', 'smtp', '{"port":587}')`)
    const { note, fail } = await examine(makeProject(), ['--db-url', database.url])
    await database.sql.unsafe('grant usage on schema askback to authenticated; drop table public.orders')
    expect(fail).toContainEqual(expect.stringMatching(/^The rights of users \(authenticated\) .+ are gone\./))
    expect(note).toContainEqual(
      expect.stringMatching(/to nobody, .+: orders\. .+ grant select on orders to authenticated;$/),
    )
    expect(note).toContainEqual(expect.stringMatching(/^One mail account uses port 25 or 587, .+ port 465/))
  })

  it('finds offered functions that cannot be called any more', async () => {
    const sql = (text: string) => database.sql.unsafe(text)
    const make = (name: string, parameters: string) =>
      sql(`create function public.${name}(${parameters}) returns void language sql as $$ $$`)
    for (const name of ['kept', 'gone', 'other', 'closed']) {
      await make(name, 'title text')
      await sql(`grant execute on function public.${name} to authenticated`)
      await sql(`select askback.offer_function('public.${name}')`)
    }
    await sql('drop function public.gone; drop function public.other')
    await make('other', 'title text, urgent boolean')
    await sql('revoke execute on function public.closed from authenticated, public')
    model.use([say('ok'), say('ok')])
    const examined = () => examine(makeProject(), ['--db-url', database.url], withModel())
    expect((await examined()).fail).toEqual([
      expect.stringMatching(
        /^Agents are offered public\.closed, which they cannot call: Signed-in users may not/,
      ),
      "Agents are offered public.gone, which is gone. Withdraw it: select askback.withdraw_function('public.gone');",
      expect.stringMatching(
        /^public\.other was changed since .+ select \* from askback\.offer_functions_again\(\);$/,
      ),
    ])
    await sql('grant execute on function public.closed, public.other to authenticated')
    await sql("select askback.withdraw_function('public.gone')")
    await sql('select * from askback.offer_functions_again()')
    expect((await examined()).fail).toEqual([])
  })

  it('refuses addresses that lead nowhere, without their password', async () => {
    const silent = createSocketServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const hanging = await examine(makeProject(), [
      '--db-url',
      `postgres://me:db-password@127.0.0.1:${port}/postgres`,
    ])
    silent.close()
    expect(hanging.code).toBe(1)
    expect(hanging.stderr).toMatch(/^The database at 127\.0\.0\.1:\d+ does not answer: /)
    expect((await examine(makeProject(), ['--db-url', 'db-password'])).stderr).toMatch(
      /^--db-url is no PostgreSQL address\./,
    )
  })
})

describe('askback doctor --linked', () => {
  const ref = 'abcdefghijklmnopqrst'
  const linked = () => makeProject({ 'supabase/.temp/project-ref': ref })

  /** Supabase's Management API and the project itself, as their documentation has them. */
  async function host(facts: {
    secrets: string[]
    functions: object[]
    rows?: (query: string) => object[]
    exposes?: boolean
    keys?: object[]
    health?: [number, object]
  }) {
    const management = await listen((path, body) => {
      const rest = path.replace(`/v1/projects/${ref}`, '')
      if (rest === '/functions') return [200, facts.functions]
      if (rest === '/secrets') return [200, facts.secrets.map((name) => ({ name, value: 'digest' }))]
      if (rest === '/api-keys')
        return [200, [{ name: 'default', type: 'publishable', api_key: 'sb_publishable_x' }]]
      if (rest === '/database/query') return [201, facts.rows?.(JSON.parse(body).query) ?? []]
      return [404, {}]
    })
    const project = await listen((path) => {
      if (path.startsWith('/rest/v1/')) {
        return facts.exposes
          ? [401, { code: '42501' }]
          : [406, { code: 'PGRST106', message: 'Invalid schema' }]
      }
      if (path.startsWith('/auth/v1/')) return [200, { keys: facts.keys ?? [] }]
      return facts.health ?? [404, { code: 'NOT_FOUND' }]
    })
    return {
      ASKBACK_MANAGEMENT_URL: management,
      ASKBACK_PROJECT_URL: project,
      SUPABASE_ACCESS_TOKEN: 'sbp_token',
    }
  }

  it('is content with a project in which everything is set up', async () => {
    const env = await host({
      secrets: ['ASKBACK_CREDENTIALS_KEYS', 'ASKBACK_FUNCTION_SECRET', 'OPENAI_API_KEY'],
      functions: slugs.map((slug) => ({ slug, verify_jwt: false })),
      exposes: true,
      keys: [{ kty: 'EC' }],
      health: [200, { status: 'ok', version }],
      rows: (query) => {
        if (query.includes('askback.version() as')) {
          return [{ version: { schema: schemaVersion, accepts: [schemaVersion - 1, schemaVersion] } }]
        }
        if (query.includes('begin_turn')) return [{ users: true, functions: true }]
        if (query.includes('clock_state')) {
          return [{ state: { cameAt: '2026-11-27T20:00:00Z', status: 202, trouble: null } }]
        }
        if (query.includes('pg_available_extensions')) return []
        if (query.includes('http_post')) return [{ cron: true, net: true, vault: true }]
        if (query.includes('from vault.secrets')) {
          return [{ name: 'askback_chat_url' }, { name: 'askback_function_secret' }]
        }
        if (query.includes('from cron.job j')) return [{ jobid: 1, active: true, failed: false }]
        if (query.includes('count(*)')) return [{ n: 0 }]
        return /relkind|offered_functions/.test(query) ? [] : [{ there: true }]
      },
    })
    const { code, ok, fail } = await examine(linked(), ['--linked'], env)
    expect({ code, fail }).toEqual({ code: 0, fail: [] })
    expect(ok).toContain('The Data API exposes the schema "askback"')
    expect(ok).toContain('Tokens are signed with asymmetric keys')
    expect(ok).toContain('pg_cron resumes waiting runs; the clock last called at 2026-11-27T20:00:00Z')
    expect(ok).toContain(`The function "assistant" answers, in version ${version}`)
  })

  it('names the command or the page that mends each thing', async () => {
    const env = await host({
      secrets: [],
      functions: slugs.map((slug) => ({ slug, verify_jwt: slug === 'assistant' })),
      rows: () => [],
    })
    const { code, fail } = await examine(linked(), ['--linked'], env)
    expect(code).toBe(1)
    expect(fail).toEqual([
      'Deployed with verify_jwt: assistant. Deploy them again: supabase functions deploy',
      expect.stringMatching(/ASKBACK_CREDENTIALS_KEYS\. Set it: supabase secrets set /),
      expect.stringMatching(/ASKBACK_FUNCTION_SECRET\. Set it: supabase secrets set /),
      'The functions have no key for a model. Set one: supabase secrets set OPENAI_API_KEY=…',
      'The database has no schema "askback". Push the migrations: supabase db push',
      'The Data API does not expose the schema "askback". Add it in the dashboard: Project Settings, Data API, Exposed schemas.',
      expect.stringContaining('Tokens are signed with a shared secret.'),
      'The function "assistant" answers with status 404. Deploy it: supabase functions deploy',
    ])
  })

  it('refuses when no project is linked', async () => {
    const { code, stderr } = await examine(makeProject(), ['--linked'], {
      SUPABASE_ACCESS_TOKEN: 'sbp_token',
    })
    expect([code, stderr]).toEqual([1, 'No project is linked. Run `supabase link` first.\n'])
  })
})
