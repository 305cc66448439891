import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { version } from '../../shared/server/version.ts'
import { askback } from '../../support/askback-command.ts'
import { makeSupabaseProject, readFiles, teams, writeFiles } from '../../support/supabase-project.ts'

const config = 'supabase/config.toml'
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })

function project(files?: (folder: string) => Record<string, string>): string {
  const folder = makeSupabaseProject()
  if (files) writeFiles(folder, files(folder))
  return folder
}

describe('askback add', () => {
  it('adds functions, a migration and two places of config.toml, and nothing else', async () => {
    const folder = project()
    const before = readFiles(folder)
    const { code, stderr } = await askback(folder, ['add', '--yes'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const after = readFiles(folder)
    const changed = Object.keys(after).filter((path) => after[path] !== before[path])
    const others = changed.filter((path) => !path.startsWith('supabase/functions/'))
    expect(others.map((path) => path.replace(/\d{14}/, 'TIME'))).toEqual([
      '.env.example',
      config,
      'supabase/migrations/TIME_askback_1.sql',
    ])
    expect(after['supabase/functions/chat/index.ts']).toBe(
      "// @ts-nocheck\nimport { handler } from '../_askback/chat.js'\n\nDeno.serve(handler)\n",
    )
    expect(after['supabase/functions/chat/deno.json']).toBe('{ "imports": {} }\n')
    const record = JSON.parse(after['supabase/functions/_askback/askback.json'] ?? '')
    expect(record).toMatchObject({ version, schema: 1, vendor: true, functions: { chat: 'chat' } })
    const values = getStaticTOMLValue(parseTOML(after[config] ?? '')) as Record<
      string,
      Record<string, unknown>
    >
    expect(values.api?.schemas).toEqual(['public', 'graphql_public', 'askback'])
    expect(values.functions).toMatchObject({ chat: { verify_jwt: false }, 'smtp-api': { verify_jwt: false } })
  })

  it('changes nothing when it runs again', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--name', 'chat=assistant', '--integrations', 'smtp,docs-api'])
    const before = readFiles(folder)
    expect(await askback(folder, ['add'])).toMatchObject({
      code: 0,
      stdout: 'Askback is in this project already: nothing to do.\n',
    })
    expect(readFiles(folder)).toEqual(before)
  })

  it('changes nothing where git has ended all lines with CR and LF', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    const files = Object.entries(readFiles(folder)).map(([path, text]) => [
      path,
      text.replaceAll('\n', '\r\n'),
    ])
    writeFiles(folder, Object.fromEntries(files))
    expect((await askback(folder, ['add'])).stdout).toContain('nothing to do')
    expect((await askback(folder, ['upgrade', '--check'])).code).toBe(0)
  })

  it('clears what a command that was killed has left', async () => {
    const folder = project(() => ({ 'supabase/.askback-draft': 'half a fi' }))
    await askback(folder, ['add', '--yes'])
    expect(Object.keys(readFiles(folder)).filter((path) => path.includes('draft'))).toEqual([])
  })

  it('only shows what it would do with --dry-run, and asks for --yes where nobody can answer', async () => {
    const folder = project()
    const before = readFiles(folder)
    const dry = await askback(folder, ['add', '--dry-run'])
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('  add     supabase/functions/chat/index.ts\n')
    expect(dry.stdout).toMatch(
      /^supabase\/config\.toml\n {2}- schemas = \["public", "graphql_public"\]\n {2}\+ schemas = .+, "askback"\]\n/m,
    )
    expect(dry.stdout).not.toMatch(/k1:/)
    const unasked = await askback(folder, ['add'])
    expect(unasked.code).toBe(1)
    expect(unasked.stderr).toContain('Use --yes to skip the question.')
    expect(readFiles(folder)).toEqual(before)
  })

  for (const [team, files] of Object.entries(teams)) {
    it(`keeps every byte of a project ${team}`, async () => {
      const folder = project(files)
      const before = readFiles(folder)
      const names = before['supabase/functions/chat/index.ts'] ? ['--name', 'chat=assistant'] : []
      const { code } = await askback(folder, ['add', '--yes', ...names])
      expect(code).toBe(0)
      const after = readFiles(folder)
      for (const path of Object.keys(before)) {
        if (path === config || path === '.env.example') continue
        expect(after[path], path).toBe(before[path])
      }
      expect(after['.env.example']?.startsWith(before['.env.example'] ?? '')).toBe(true)
      const own = after[config]?.replace(/\n# Askback: [\s\S]*# Askback ends here\.\n/, '')
      expect(own?.replace(', "askback"]', ']')).toBe(before[config])
      const added = Object.keys(after).find((path) => path.endsWith('_askback_1.sql'))
      const latest = Object.keys(after)
        .filter((path) => path.startsWith('supabase/migrations/'))
        .sort()
      expect(added).toBe(latest.at(-1))
    })
  }

  it('refuses a name that is taken, and then changes nothing', async () => {
    const folder = project(teams['with a function named chat and a folder shared'])
    const before = readFiles(folder)
    const { code, stdout, stderr } = await askback(folder, ['add', '--yes'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'This project has a function named "chat". It stays as it is: give ours another name, like --name chat=assistant. Nothing was changed.\n',
    )
    expect(readFiles(folder)).toEqual(before)
    expect((await askback(folder, ['add', '--yes', '--name', 'chat=assistant'])).code).toBe(0)
    expect(read(folder, 'supabase/functions/assistant/index.ts')).toContain('../_askback/chat.js')
    expect(read(folder, 'supabase/functions/chat/index.ts')).toBe(before['supabase/functions/chat/index.ts'])
    const record = JSON.parse(read(folder, 'supabase/functions/_askback/askback.json'))
    expect(record.functions.chat).toBe('assistant')
  })

  it('refuses names and integrations that there are not', async () => {
    const folder = project()
    const wrong = [
      ['--name', 'chatter=assistant'],
      ['--name', 'chat='],
      ['--name', 'chat=../x'],
      ['--name', 'chat=same', '--name', 'smtp-api=same'],
      ['--name', 'chat=one', '--name', 'chat=two'],
      ['--integrations', 'fax'],
    ]
    for (const words of wrong) expect((await askback(folder, ['add', '--yes', ...words])).code).toBe(1)
  })

  it('takes the chosen integrations, and those that are chosen later', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect(Object.keys(readFiles(folder)).filter((path) => path.endsWith('api/index.ts'))).toEqual([
      'supabase/functions/smtp-api/index.ts',
    ])
    const { stdout } = await askback(folder, ['add', '--yes', '--integrations', 'docs,web-search'])
    expect(stdout.match(/.* supabase\/functions\/_askback\/$/gm)).toEqual([
      '  change  supabase/functions/_askback/',
    ])
    expect(Object.keys(readFiles(folder)).filter((path) => path.endsWith('api/index.ts'))).toEqual([
      'supabase/functions/docs-api/index.ts',
      'supabase/functions/web-search-api/index.ts',
    ])
    expect(read(folder, config)).not.toContain('smtp-api')
  })

  it('says what to do after a change, and nothing about installing', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--name', 'chat=assistant', '--integrations', 'smtp,docs'])
    const removed = await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect(removed.stdout).toMatch(/^Without docs-api: --integrations names all that should be there\.\n/)
    expect(removed.stdout).toMatch(
      /bring it to a linked project:\n\n {2}supabase functions deploy\n {2}supabase functions delete docs-api\n\nFinally, .+:\n\n {2}npx askback doctor --linked\n/,
    )
    const { stdout } = await askback(folder, ['add', '--yes', '--name', 'chat=helper'])
    expect(stdout).toContain('  supabase functions delete assistant\n')
    expect(stdout).toContain("vault.update_secret(id, 'https://YOUR_REF.supabase.co/functions/v1/helper')")
    expect(stdout).not.toContain('create_secret')
  })

  it('names the integrations there are, in its help and where one is not known', async () => {
    const names = /database, docs, gmail, schedules, smtp, web-search/
    expect((await askback(project(), ['add', '--help'])).stdout).toMatch(names)
    expect((await askback(project(), ['add', '--integrations', 'fax'])).stderr).toMatch(names)
  })

  it('says what is missing in --name chat', async () => {
    const { stderr } = await askback(project(), ['add', '--yes', '--name', 'chat'])
    expect(stderr).toBe('--name chat: say what it is called, too, like --name chat=assistant.\n')
  })

  const configurations: Record<string, [given: string, expected: string]> = {
    'lines that end with CR and LF': [
      'project_id = "x"\r\n\r\n[api]\r\nschemas = ["public"] # ours\r\n',
      'schemas = ["public", "askback"] # ours\r\n\r\n# Askback: ',
    ],
    'a list over several lines': [
      '[api]\nschemas = [\n  "public", # app\n  "private",\n]\n',
      '  "private",\n  "askback",\n]\n',
    ],
    'an empty list': ['[api]\nschemas = []\n', 'schemas = ["askback"]\n'],
    'no list': [
      '[api]\nport = 54321\n',
      '[api]\nschemas = ["public", "graphql_public", "askback"]\nport = 54321\n',
    ],
    'no table for the API': [
      'project_id = "x"\n',
      '[api]\nschemas = ["public", "graphql_public", "askback"]\n',
    ],
    'branches with lists of their own': [
      '[api]\nschemas = ["public"]\n[remotes.staging]\nproject_id = "abcdefghijklmnopqrst"\n[remotes.staging.api]\nschemas = ["public", "b"]\n',
      '[remotes.staging.api]\nschemas = ["public", "b", "askback"]\n',
    ],
    'an inline table': ['api = { schemas = ["public"] }\n', 'api = { schemas = ["public", "askback"] }\n'],
  }
  for (const [name, [given, expected]] of Object.entries(configurations)) {
    it(`changes a config.toml with ${name}, and brings it back`, async () => {
      const folder = project(() => ({ [config]: given }))
      const { code, stderr } = await askback(folder, ['add', '--yes'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(read(folder, config)).toContain(expected)
      expect((await askback(folder, ['add'])).stdout).toContain('nothing to do')
      await askback(folder, ['remove', '--yes'])
      expect(read(folder, config)).toBe(given)
    })
  }

  it('finds its block wherever it stands', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    writeFileSync(join(folder, config), `${read(folder, config)}\n[functions.later]\nverify_jwt = true\n`)
    await askback(folder, ['add', '--yes', '--integrations', 'smtp,docs'])
    const text = read(folder, config)
    expect(text.match(/# Askback: /g)).toHaveLength(1)
    expect(text.indexOf('[functions.docs-api]')).toBeLessThan(text.indexOf('[functions.later]'))
  })

  it('refuses a config.toml that cannot be read, with its line', async () => {
    const folder = project(() => ({ [config]: '[api]\nschemas = [\n' }))
    const { code, stderr } = await askback(folder, ['add', '--yes'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^supabase\/config\.toml cannot be read: line \d/)
  })

  it('dates its migration after those that are there', async () => {
    const folder = project(() => ({ 'supabase/migrations/29991231235959_later.sql': 'select 1;\n' }))
    await askback(folder, ['add', '--yes'])
    expect(Object.keys(readFiles(folder)).filter((path) => path.endsWith('_askback_1.sql'))).toEqual([
      'supabase/migrations/30000101000000_askback_1.sql',
    ])
  })

  it('makes secrets once, where only their owner and no commit sees them, and prints none', async () => {
    const folder = project(() => ({ 'supabase/functions/.env': 'OPENAI_API_KEY=sk-theirs' }))
    const { stdout } = await askback(folder, ['add', '--yes'])
    expect(stdout).toContain('supabase secrets set --env-file supabase/functions/.env\n')
    const text = read(folder, 'supabase/functions/.env')
    expect(text).toMatch(
      /^OPENAI_API_KEY=sk-theirs\nASKBACK_CREDENTIALS_KEYS=k1:[\w+/]{43}=\nASKBACK_FUNCTION_SECRET=[\w+/]{43}=\n$/,
    )
    expect(statSync(join(folder, 'supabase/functions/.env')).mode & 0o777).toBe(0o600)
    expect(git(folder, 'status', '--short', '--untracked-files=all')).not.toMatch(/functions\/\.env$/m)
    for (const secret of text.match(/[\w+/]{43}=/g) ?? []) expect(stdout).not.toContain(secret)
    await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect(read(folder, 'supabase/functions/.env')).toBe(text)
  })

  it('sets no variable of the team in the linked project', async () => {
    const folder = project(() => ({ 'supabase/functions/.env': 'STRIPE_KEY=sk_test_1\n' }))
    const { stdout } = await askback(folder, ['add', '--yes'])
    const [, command = ''] = /(grep .*) \| xargs supabase secrets set\n/.exec(stdout) ?? []
    const set = execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
    expect(set).toMatch(/^ASKBACK_CREDENTIALS_KEYS=\S+\nASKBACK_FUNCTION_SECRET=\S+\n$/)
  })

  it('writes no secret into a file that git tracks', async () => {
    const folder = project(() => ({ 'supabase/functions/.env': 'OPENAI_API_KEY=\n' }))
    git(folder, 'add', '--force', '.')
    git(folder, 'commit', '-qm', 'Begin')
    const { code, stdout } = await askback(folder, ['add', '--yes'])
    expect(code).toBe(0)
    expect(read(folder, 'supabase/functions/.env')).toBe('OPENAI_API_KEY=\n')
    expect(stdout).toContain('git tracks supabase/functions/.env')
  })

  it('finds the project above, and says when there is none', async () => {
    const folder = project(teams['with a Vite app'])
    expect((await askback(join(folder, 'src'), ['add', '--yes'])).code).toBe(0)
    const nowhere = await askback('/', ['add', '--yes'])
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toContain('There is no supabase/config.toml here or above.')
    expect((await askback('/', ['add', '--yes', '--workdir', folder])).stdout).toContain('nothing to do')
  })

  it('takes the functions from npm with --no-vendor, pinned, and not younger than Deno allows', async () => {
    const folder = project()
    await askback(folder, ['add', '--yes', '--no-vendor'])
    expect(JSON.parse(read(folder, 'supabase/functions/chat/deno.json'))).toEqual({
      imports: { 'askback/': `npm:/askback@${version}/` },
      minimumDependencyAge: { age: 'P1D', exclude: ['npm:askback'] },
    })
    expect(Object.keys(readFiles(folder)).filter((path) => path.includes('/bundles/'))).toEqual([])
  })
})
