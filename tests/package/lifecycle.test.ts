import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { applyCatalogue } from '../../local/integrations/follow-integrations.ts'
import { environment, hostedDeno, installed } from '../../scripts/platform.ts'
import { argumentHash } from '../../shared/engine/core/canonical-json.ts'
import { signTicket, ticketHeader } from '../../shared/server/authentication/internal-ticket.ts'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { startTestDatabase, supabaseDirectory } from '../../support/database.ts'
import { startLoneFunction } from '../../support/lone-function.ts'
import { startManagementApi } from '../../support/management-api.ts'
import { makePdf } from '../../support/pdf.ts'
import { makeSupabaseProject, readFiles, teams, writeFiles } from '../../support/supabase-project.ts'

const run = promisify(execFile)
const record = 'supabase/functions/_askback/askback.json'
/** Deno, which a project has from `askback-local`. */
const deno = { PATH: `${join(findDeno(), '..')}:${process.env.PATH}`, DENO_DIR: environment.DENO_DIR ?? '' }

describe('a project with Askback', () => {
  let folder: string
  beforeAll(async () => {
    folder = makeSupabaseProject()
    writeFiles(folder, teams['with a function named chat and a folder shared']?.(folder) ?? {})
    await askback(folder, ['add', '--yes', '--name', 'chat=assistant'])
    for (const _ of ['the function', 'its migration'])
      await askback(folder, ['new-integration', 'tasks'], deno)
  })

  it('is deployed by the Supabase CLI, function by function, with what each imports', async () => {
    const api = await startManagementApi()
    const env = { ...environment, ...api.env }
    await run(installed('supabase'), ['functions', 'deploy', ...api.flags], { cwd: folder, env })
    api.close()
    expect([...api.uploads.keys()].sort()).toEqual([
      'assistant',
      'chat',
      'database-api',
      'docs-api',
      'file-text',
      'gmail-api',
      'integration-settings',
      'mcp',
      'mcp-client',
      'schedules-api',
      'smtp-api',
      'tasks-api',
      'web-search-api',
    ])
    for (const [slug, files] of api.uploads) {
      if (slug === 'chat') continue
      for (const [path, text] of files) {
        for (const [, name = ''] of text.matchAll(/(?:\bfrom ?|\bimport\()["'](\.[^"']+\.js)["']/g)) {
          expect([...files.keys()], `${slug}: ${path}`).toContain(join(path, '..', name))
        }
      }
      expect([...files.keys()].some((path) => path.includes('.env'))).toBe(false)
      const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      expect(bytes, slug).toBeLessThan(2_500_000)
    }
  })

  it('keeps its bundles from the linters of the project', () => {
    const bundles = Object.entries(readFiles(folder)).filter(([path]) =>
      /_askback\/bundles\/.*\.js$/.test(path),
    )
    expect(bundles.length).toBeGreaterThan(9)
    for (const [path, text] of bundles)
      expect(text, path).toMatch(
        /^\/\* eslint-disable \*\/\n\/\/ deno-lint-ignore-file\n\/\/ biome-ignore-all /,
      )
  })

  it('passes `deno check`, also beside a package.json without types of Node', async () => {
    writeFiles(folder, { 'package.json': '{ "private": true }' })
    const words = ['check', '--config', 'supabase/functions/assistant/deno.json']
    const env = { ...environment, DENO_NO_UPDATE_CHECK: '1' }
    await run(findDeno(), [...words, 'supabase/functions/assistant/index.ts'], { cwd: folder, env })
    rmSync(join(folder, 'package.json'))
  })

  for (const [name, deno] of [
    ['2.9', findDeno()],
    ['2.1', hostedDeno],
  ] as const) {
    it.skipIf(!existsSync(deno))(`answers under its name from the bundles, on Deno ${name}`, async () => {
      const assistant = await startLoneFunction({ deno, folder, slug: 'assistant', flags: ['--no-config'] })
      expect((await fetch(`${assistant.url}/health`)).status).toBe(503)
      expect((await fetch(assistant.url, { method: 'POST', body: '{}' })).status).toBe(401)
      assistant.stop()
    })

    it.skipIf(!existsSync(deno))(`reads a PDF, with and without threads, on Deno ${name}`, async () => {
      // A document has two seconds, which loading the library takes on a busy machine.
      for (const region of ['', 'eu-central-1'])
        await expect
          .poll(() => readPdf(deno, folder, { SB_REGION: region }))
          .toEqual({ text: 'The meeting is at ten.', pages: 1, readPages: 1, isWhole: true })
    })
  }

  it('is pushed with the Supabase CLI, and its SQL takes everything out again, without pg_cron and Storage', async () => {
    const supabase = join(mkdtempSync(join(tmpdir(), 'askback-none-')), 'supabase')
    writeFiles(supabase, { 'migrations/.keep': '' })
    const database = await startTestDatabase({ supabase })
    try {
      const url = `${database.url}?sslmode=disable`
      const push = ['db', 'push', '--db-url', url, '--yes']
      await run(installed('supabase'), push, { cwd: folder, env: environment })
      const [pushed] = await database.sql`select count(*)::int as count from askback.tools`
      expect(pushed?.count).toBeGreaterThan(10)
      // A later catalogue leaves what is the project's own.
      await applyCatalogue(database.sql, supabaseDirectory)
      const own =
        await database.sql`select name, source from askback.tools where function = 'tasks-api' order by position`
      expect(own).toEqual(['tasks_find', 'tasks_add'].map((name) => ({ name, source: 'project' })))
      const copy = mkdtempSync(join(tmpdir(), 'askback-copy-'))
      cpSync(folder, copy, { recursive: true })
      const { stdout } = await askback(copy, ['remove', '--yes'])
      const [statement = ''] = /^do \$\$[\s\S]*cascade;$/m.exec(stdout) ?? []
      await database.sql.unsafe(statement)
      expect(await database.sql`select 1 from pg_namespace where nspname like 'askback%'`).toHaveLength(0)
      const [, versions = ''] = /migration repair --status reverted (.*)/.exec(stdout) ?? []
      const repair = ['migration', 'repair', '--status', 'reverted', ...versions.split(' '), '--db-url', url]
      await run(installed('supabase'), repair, { cwd: copy, env: environment })
      // Once what it names is gone, too, the project can be pushed as before.
      for (const [, path = ''] of stdout.matchAll(/^ {2}(supabase\/\S+tasks\S+)$/gm))
        rmSync(join(copy, path), { recursive: true })
      await run(installed('supabase'), push, { cwd: copy, env: environment })
    } finally {
      await database.close()
    }
  })
})

describe('askback upgrade', () => {
  const upgradable = async () => {
    const folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    return folder
  }
  const change = (folder: string, path: string, text: (before: string) => string) =>
    writeFileSync(join(folder, path), text(readFileSync(join(folder, path), 'utf8')))

  it('says with --check whether the project has the running version', async () => {
    const folder = await upgradable()
    expect((await askback(folder, ['upgrade', '--check'])).code).toBe(0)
    change(folder, record, (text) => text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'))
    const before = readFiles(folder)
    const { code, stdout } = await askback(folder, ['upgrade', '--check'])
    expect(code).toBe(1)
    expect(stdout).toContain('This project has askback 0.0.1, schema 1; this is askback ')
    expect(readFiles(folder)).toEqual(before)
  })

  it.each([
    ['a migration', 'supabase/migrations/TIME_askback_1.sql'],
    ['a bundle', 'supabase/functions/_askback/bundles/chat.js'],
    ['a function', 'supabase/functions/smtp-api/index.ts'],
    ['its .env.example', '.env.example'],
  ])('says with --check that %s is missing, and writes it', async (_, name) => {
    const folder = await upgradable()
    const whole = readFiles(folder)
    const path = Object.keys(whole).find((one) => one.replace(/\d{14}/, 'TIME') === name) ?? ''
    rmSync(join(folder, path))
    const { code, stdout } = await askback(folder, ['upgrade', '--check'])
    expect(code).toBe(1)
    expect(stdout).toContain('but not all of it')
    if (path.includes('_askback/')) expect(stdout).toContain('  change  supabase/functions/_askback/\n')
    expect((await askback(folder, ['upgrade', '--yes'])).stdout).not.toContain('from')
    expect((await askback(folder, ['upgrade', '--check'])).code).toBe(0)
    expect(readFiles(folder)).toEqual(whole)
  })

  it('says with --check that its block of config.toml is not whole', async () => {
    const folder = await upgradable()
    change(folder, 'supabase/config.toml', (text) =>
      text.replace('[functions.chat]\nverify_jwt = false\n', ''),
    )
    const { code, stdout } = await askback(folder, ['upgrade', '--check'])
    expect(code).toBe(1)
    expect(stdout).toContain('  change  supabase/config.toml')
  })

  it('keeps a migration that was changed by hand, and names it', async () => {
    const folder = await upgradable()
    const whole = readFiles(folder)
    const path = Object.keys(whole).find((one) => one.endsWith('_askback_1.sql')) ?? ''
    change(folder, path, (text) => `${text}-- ours\n`)
    const { code, stdout } = await askback(folder, ['upgrade', '--check'])
    expect(code).toBe(0)
    expect(stdout).toContain(`${path} was changed by hand and stays`)
    await askback(folder, ['upgrade', '--yes', '--force'])
    expect(readFiles(folder)).toEqual(whole)
  })

  it('brings bundles and functions up to date, and keeps what was changed by hand', async () => {
    const folder = await upgradable()
    const fresh = readFiles(folder)
    change(folder, record, (text) => text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'))
    change(folder, 'supabase/functions/smtp-api/index.ts', (text) => `${text}// ours\n`)
    const older = JSON.parse(readFileSync(join(folder, record), 'utf8'))
    const bundle = 'supabase/functions/_askback/bundles/chat.js'
    const text = 'export const createHandler = () => () => new Response("old")\n'
    writeFileSync(join(folder, bundle), text)
    older.files[bundle] = await hash(text)
    writeFileSync(join(folder, record), JSON.stringify(older))
    const { code, stdout } = await askback(folder, ['upgrade', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain(
      'supabase/functions/smtp-api/index.ts was changed by hand and stays; --force replaces it.',
    )
    expect(readFileSync(join(folder, bundle), 'utf8')).toBe(fresh[bundle])
    expect(readFileSync(join(folder, 'supabase/functions/smtp-api/index.ts'), 'utf8')).toMatch(/\/\/ ours\n$/)
    await askback(folder, ['upgrade', '--yes', '--force'])
    expect(readFiles(folder)).toEqual(fresh)
  })

  it('names a file that was changed by hand and that nothing needs any more', async () => {
    const folder = await upgradable()
    const path = 'supabase/functions/chat/index.ts'
    change(folder, path, (text) => `${text}// ours\n`)
    const { stdout } = await askback(folder, ['add', '--yes', '--name', 'chat=helper'])
    expect(stdout).toContain(`${path} was changed by hand and stays, though nothing needs it any more.`)
    expect(stdout).not.toContain('--force')
  })

  it('adds a migration for each version of the schema that is missing, after all others', async () => {
    const folder = await upgradable()
    const next = mkdtempSync(join(tmpdir(), 'askback-next-'))
    cpSync(builtPackage(), next, { recursive: true })
    writeFiles(next, {
      'migrations/2.sql': 'select 2;\n',
      'migrations/3.sql': 'select 3;\n',
      'CHANGELOG.md': '# Changelog\n\n## 9.0.0\n\n- Better mails.\n\n## 0.1.0\n\n- The first.\n',
    })
    change(next, 'package.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "9.0.0"'))
    writeFiles(folder, { 'supabase/migrations/29990101000000_theirs.sql': 'select 1;\n' })
    const { stdout } = await run(process.execPath, [join(next, 'bin/askback.js'), 'upgrade', '--yes'], {
      cwd: folder,
    })
    expect(stdout).toContain('## 9.0.0\n\n- Better mails.')
    expect(stdout).not.toContain('The first.')
    const names = Object.keys(readFiles(folder)).filter((path) => path.startsWith('supabase/migrations/'))
    expect(names.slice(1)).toEqual([
      'supabase/migrations/29990101000000_theirs.sql',
      'supabase/migrations/29990101000001_askback_2.sql',
      'supabase/migrations/29990101000002_askback_3.sql',
    ])
    expect(JSON.parse(readFileSync(join(folder, record), 'utf8'))).toMatchObject({
      version: '9.0.0',
      schema: 3,
    })
    const back = await askback(folder, ['upgrade', '--yes'])
    expect(back.code).toBe(1)
    expect(back.stderr).toContain('This project has askback 9.0.0, and this is the older ')
  })

  it('is refused where nothing was added', async () => {
    const { code, stderr } = await askback(makeSupabaseProject(), ['upgrade'])
    expect(code).toBe(1)
    expect(stderr).toContain('Run `npx askback add` first.')
  })
})

describe('askback remove', () => {
  it('takes out what add made, whatever has changed beside it, and says what stays', async () => {
    const folder = makeSupabaseProject({ '.env.example': 'OURS=\n' })
    const before = readFiles(folder)
    await askback(folder, ['add', '--yes'])
    writeFiles(folder, { 'supabase/functions/hello/index.ts': 'Deno.serve(() => new Response())\n' })
    const { code, stdout } = await askback(folder, ['remove', '--yes'])
    expect(code).toBe(0)
    const {
      'supabase/functions/.env': secrets,
      'supabase/functions/.gitignore': _,
      ...after
    } = readFiles(folder)
    expect(after).toEqual({
      ...before,
      'supabase/functions/hello/index.ts': 'Deno.serve(() => new Response())\n',
    })
    expect(secrets).toContain('ASKBACK_CREDENTIALS_KEYS=')
    expect(stdout).toContain('your secrets in supabase/functions/.env')
    expect(stdout).toMatch(/migration repair --status reverted \d{14}\n/)
    expect(existsSync(join(folder, 'supabase/functions/chat'))).toBe(false)
    expect(stdout).not.toContain('.askback, with the local database')
    expect(stdout).not.toContain('npm uninstall')
  })

  it('names what else is left: migrations that use it, packages, secrets, the local database', async () => {
    const offer = 'supabase/migrations/29990101000000_offer.sql'
    const folder = makeSupabaseProject({
      '.askback/stack.json': '{}',
      [offer]: "select askback.offer_function('public.orders');\n",
      'supabase/migrations/29990102000000_other.sql': 'select 1; -- as askback does\n',
      'package.json': JSON.stringify({
        devDependencies: { askback: 'file:askback-0.1.0.tgz', 'askback-local': '0.1.0', vite: '^8' },
      }),
    })
    await askback(folder, ['add', '--yes', '--name', 'chat=assistant', '--integrations', ','])
    for (const _ of ['the function', 'its migration'])
      await askback(folder, ['new-integration', 'tasks'], deno)
    const { stdout } = await askback(folder, ['remove', '--yes'])
    expect(stdout).toMatch(
      /do not work without Askback\..*\n\n {2}supabase\/functions\/tasks-api\n {2}supabase\/migrations\/\d{14}_askback_tasks_api\.sql\n/,
    )
    expect(stdout).toMatch(new RegExp(`a new database fails at them\\..*\n\n  ${offer}\n\n`))
    expect(stdout).toContain('  supabase functions delete assistant\n')
    expect(stdout).toContain('  supabase functions delete tasks-api\n')
    expect(stdout).toContain('supabase secrets unset ASKBACK_CREDENTIALS_KEYS ASKBACK_FUNCTION_SECRET\n')
    expect(stdout).toMatch(/--status reverted \d{14} \d{14}\n/)
    expect(stdout).toContain('npm uninstall askback askback-local, and delete askback-0.1.0.tgz\n')
    expect(stdout).toContain('.askback, with the local database')
  })
})

describe('the own words of a project', () => {
  const path = 'supabase/functions/askback-words.ts'

  it('are a file that no upgrade changes, whose types name every code, and that remove leaves', async () => {
    const folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    const formal = `import { formalGerman, type ProjectWords } from './_askback/words.js'
export const words: ProjectWords = { de: formalGerman, en: { said: { denied: () => 'No.' } } }
`
    writeFiles(folder, { [path]: formal })
    await askback(folder, ['upgrade', '--yes', '--force'])
    expect(readFiles(folder)[path]).toBe(formal)
    const check = () =>
      run(findDeno(), ['check', '--quiet', path], { cwd: folder, env: { ...environment, NO_COLOR: '1' } })
    await check()
    writeFiles(folder, { [path]: formal.replace('denied', 'denyed') })
    await expect(check()).rejects.toThrow("'denyed' does not exist")
    expect((await askback(folder, ['remove', '--yes'])).stdout).toContain(`\n  ${path}\n`)
    expect(existsSync(join(folder, path))).toBe(true)
  })

  it('go with everything else where there are none', async () => {
    const folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect(existsSync(join(folder, path))).toBe(true)
    await askback(folder, ['remove', '--yes'])
    expect(existsSync(join(folder, path))).toBe(false)
  })
})

describe('askback new-integration', () => {
  const integrationPath = 'supabase/functions/tasks-api/integration.ts'
  const made = async () => {
    const folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect((await askback(folder, ['new-integration', 'tasks'])).code).toBe(0)
    return folder
  }
  const migrationsOf = (folder: string) =>
    Object.entries(readFiles(folder)).filter(([name]) => name.endsWith('_askback_tasks_api.sql'))

  it('writes a function of the project with a test, which the chat knows and remove leaves', async () => {
    const folder = await made()
    const files = readFiles(folder)
    expect(Object.keys(files).filter((path) => path.includes('tasks'))).toEqual([
      'supabase/functions/tasks-api/actions.test.ts',
      'supabase/functions/tasks-api/actions.ts',
      'supabase/functions/tasks-api/deno.json',
      'supabase/functions/tasks-api/index.ts',
      'supabase/functions/tasks-api/integration.ts',
      'supabase/functions/tasks-api/words.ts',
    ])
    expect(files['supabase/functions/_askback/chat.js']).toContain('"tasks-api":"tasks-api"')
    expect(files['supabase/config.toml']).toContain('[functions.tasks-api]\nverify_jwt = false\n')
    expect((await askback(folder, ['add'])).stdout).toContain('nothing to do')
    expect((await askback(folder, ['new-integration', 'No!'])).code).toBe(1)
    expect((await askback(folder, ['new-integration'])).code).toBe(2)
    const without = await askback(folder, ['add', '--no-vendor', '--yes'])
    expect(without.code).toBe(1)
    expect(without.stderr).toContain('--no-vendor is not possible: tasks-api needs the code')
    const taken = await askback(folder, ['add', '--yes', '--name', 'chat=tasks-api'])
    expect(taken.stderr).toMatch(/^Two functions would be called "tasks-api"\./)
    await askback(folder, ['remove', '--yes'])
    expect(existsSync(join(folder, 'supabase/functions/tasks-api/index.ts'))).toBe(true)
  })

  it('writes its migration when asked again, in place of one that is not committed', async () => {
    const folder = await made()
    const again = () => askback(folder, ['new-integration', 'tasks'], deno)
    const rename = (title: string) => {
      const text = readFileSync(join(folder, integrationPath), 'utf8')
      writeFiles(folder, { [integrationPath]: text.replace(/title: '[A-Z][^']*',/, `title: '${title}',`) })
    }
    expect((await again()).code).toBe(0)
    expect((await again()).stdout).toContain('nothing to do')
    const [[, first = ''] = []] = migrationsOf(folder)
    expect(first).toContain("('tasks_find', 'project', 'tasks-api', 'find'")
    rename('Look for tasks')
    expect((await again()).code).toBe(0)
    expect(migrationsOf(folder).map(([, text]) => text.includes('Look for tasks'))).toEqual([true])
    await run('git', ['add', '.'], { cwd: folder })
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    await run('git', [...who, 'commit', '-qm', 'Add tasks'], { cwd: folder })
    rename('Search tasks')
    expect((await again()).code).toBe(0)
    expect(migrationsOf(folder).map(([, text]) => text.includes('Search tasks'))).toEqual([false, true])
  })

  it('writes no migration of what cannot be used, and says why', async () => {
    const folder = await made()
    const again = () => askback(folder, ['new-integration', 'tasks'], deno)
    const text = readFileSync(join(folder, integrationPath), 'utf8')
    const note = "{ ...addTask, action: 'note', specification: { ...addTask.specification, name: 'note' } }"
    writeFiles(folder, { [integrationPath]: text.replace('tools: [', (list) => `${list}${note}, `) })
    expect(await again()).toMatchObject({
      code: 1,
      stderr: `${integrationPath}: the tool "note" has the action "note", which actions.ts does not have (it has find, add). Add it there.\n`,
    })
    // Code that cannot be run here, or does not end, says nothing.
    writeFiles(folder, { 'supabase/functions/tasks-api/actions.ts': 'setInterval(() => {}, 1)' })
    expect((await again()).code).toBe(0)
    writeFiles(folder, { [integrationPath]: 'export const integration = {' })
    const broken = await again()
    expect(broken.code).toBe(1)
    expect(broken.stderr).toMatch(
      /^supabase\/functions\/tasks-api\/integration\.ts cannot be run: line 1: .+\.\n$/,
    )
    expect(migrationsOf(folder)).toHaveLength(1)
  })

  it('is forgotten with its folder', async () => {
    const folder = makeSupabaseProject()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    const before = readFiles(folder)
    await askback(folder, ['new-integration', 'tasks'])
    rmSync(join(folder, 'supabase/functions/tasks-api'), { recursive: true })
    expect((await askback(folder, ['upgrade', '--check'])).code).toBe(1)
    await askback(folder, ['add', '--yes'])
    expect(readFiles(folder)).toEqual(before)
  })
})

describe('askback web', () => {
  it('writes the page and its configuration', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'askback-web-'))
    const words = ['web', '--out', 'site', '--url', 'https://ref.supabase.co', '--key', 'sb_publishable_x']
    expect((await askback(folder, words)).code).toBe(0)
    const files = readFiles(join(folder, 'site'))
    expect(files['index.html']).toContain('<!doctype html>')
    expect(JSON.parse(files['config.json'] ?? '')).toEqual({
      url: 'https://ref.supabase.co',
      publishableKey: 'sb_publishable_x',
    })
    const secret = await askback(folder, [...words.slice(0, -1), 'sb_secret_x'])
    expect(secret.code).toBe(1)
    expect(secret.stderr).toContain('everybody can read the page')
  })
})

/** What the function `file-text` of a project reads from a PDF. */
async function readPdf(deno: string, folder: string, env: Record<string, string>): Promise<unknown> {
  const secret = 'a-secret-between-functions-of-32-characters'
  const call = {
    subject: crypto.randomUUID(),
    run: crypto.randomUUID(),
    tool: 'read_file_text',
    argumentHash: await argumentHash({ file: 'f1' }),
    idempotencyKey: 'f1',
  }
  const reader = await startLoneFunction({
    deno,
    folder,
    slug: 'file-text',
    flags: ['--no-config'],
    env: { ASKBACK_FUNCTION_SECRET: secret, ...env },
  })
  try {
    const answer = await fetch(`${reader.url}?file=f1`, {
      method: 'POST',
      headers: { [ticketHeader]: await signTicket(call, secret) },
      body: makePdf(['The meeting is at ten.']),
    })
    return await answer.json()
  } finally {
    reader.stop()
  }
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(bytes).toString('hex')
}
