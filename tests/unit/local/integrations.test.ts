import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshIntegrations } from '../../../local/integrations/refresh.ts'
import { StartError } from '../../../local/process/start-error.ts'

const marks = [
  '# Integrations, written by `npx tsx scripts/integrations.ts`: change nothing below.',
  '# End of the integrations.',
]
const ownConfiguration = 'project_id = "theirs"\n\n[functions.theirs]\nverify_jwt = true\n\n'
const [start, end] = marks

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
  mkdirSync(join(directory, 'migrations'))
  write('config.toml', `${ownConfiguration}${start}\n${end}\n`)
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

const read = (path: string) => readFileSync(join(directory, path), 'utf8')
const migrations = () => readdirSync(join(directory, 'migrations'))

const provider = (id: string) => ({
  id,
  name: 'Weather',
  description: 'It says "x" and isn\'t quoted.',
  service: 'weather',
  purpose: 'look at the sky',
  connection: { type: 'object' },
})

const tool = (name: string, more: object = {}, action = 'forecast') => ({
  action,
  specification: {
    name,
    description: 'Forecast.',
    parameters: { type: 'object' },
    effect: 'read',
    ...more,
  },
})

/** A module that is read once for each name, so each test has names of its own. */
function addIntegration(name: string, content: object = {}): void {
  const integration = {
    name,
    providers: [],
    tools: [tool(`${name.replaceAll('-', '_')}_forecast`)],
    ...content,
  }
  write(`functions/${name}/integration.ts`, `export const integration = ${JSON.stringify(integration)}`)
}

const refresh = (time: string, check = false) =>
  refreshIntegrations(directory, { check, now: new Date(time) })

function git(...words: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...who, ...words], { cwd: directory, stdio: 'ignore' })
}

const monday = '2027-03-01T10:00:00Z'
const tuesday = '2027-03-02T10:00:00Z'
const ofMonday = '20270301100000_catalogue.sql'
const ofTuesday = '20270302100000_catalogue.sql'

describe('the catalogue migration', () => {
  it('has a row for each provider and tool, and is written once', async () => {
    addIntegration('rows-api', {
      providers: [provider('rows')],
      tools: [tool('rows_forecast', { providers: ['rows'], approval: 'always' })],
    })
    expect(await refresh(monday, true)).toEqual([
      'supabase/config.toml',
      'supabase/migrations/*_catalogue.sql',
    ])
    expect(migrations()).toEqual([])
    await refresh(monday)
    expect(migrations()).toEqual([ofMonday])
    const sql = read(`migrations/${ofMonday}`)
    expect(sql).toContain(
      "('rows', 'askback', 'Weather', 'It says \"x\" and isn''t quoted.', 'weather', 'look at the sky', 'rows-api'",
    )
    expect(sql).toContain(
      "('rows_forecast', 'askback', 'rows-api', 'forecast', array['rows']::text[], 'always', 1, '{",
    )
    expect(await refresh(tuesday)).toEqual([])
    expect(migrations()).toEqual([ofMonday])
  })

  it('is a new file beside one that is committed', async () => {
    git('init')
    addIntegration('first-api')
    await refresh(monday)
    git('add', '.')
    git('commit', '-m', 'one')
    const before = read(`migrations/${ofMonday}`)
    addIntegration('second-api')
    await refresh(tuesday)
    expect(migrations()).toEqual([ofMonday, ofTuesday])
    expect(read(`migrations/${ofMonday}`)).toBe(before)
  })

  it('replaces one that nobody has committed, also before the first commit', async () => {
    git('init')
    addIntegration('third-api')
    await refresh(monday)
    addIntegration('fourth-api')
    await refresh(tuesday)
    expect(migrations()).toEqual([ofTuesday])
  })

  it('goes away with a change that is taken back', async () => {
    git('init')
    addIntegration('kept-api')
    await refresh(monday)
    git('add', '.')
    git('commit', '-m', 'one')
    addIntegration('tried-api')
    await refresh(tuesday)
    rmSync(join(directory, 'functions/tried-api'), { recursive: true })
    await refresh('2027-03-03T10:00:00Z')
    expect(migrations()).toEqual([ofMonday])
    expect(await refresh(tuesday, true)).toEqual([])
  })

  it('keeps every state without git, because nobody knows which one was pushed', async () => {
    addIntegration('fifth-api')
    await refresh(monday)
    addIntegration('sixth-api')
    await refresh(tuesday)
    expect(migrations()).toEqual([ofMonday, ofTuesday])
  })

  it('comes after every migration that is there, whatever the clock says', async () => {
    write('migrations/20270301100000_tables.sql', '')
    addIntegration('seventh-api')
    await refresh(monday)
    addIntegration('eighth-api')
    await refresh('2026-01-01T00:00:00Z')
    expect(migrations()).toEqual([
      '20270301100000_tables.sql',
      '20270301100001_catalogue.sql',
      '20270301100002_catalogue.sql',
    ])
  })

  it('removes what is gone: the last integration too', async () => {
    write('functions/theirs/index.ts', 'Deno.serve(() => new Response())')
    await refresh(monday)
    expect(read(`migrations/${ofMonday}`)).toContain('name = any (array[]::text[])')
  })
})

describe('config.toml', () => {
  it('has the integrations between its marks, and everything else as it was', async () => {
    const after = '\n[functions.later]\nverify_jwt = true\n'
    write('config.toml', `${ownConfiguration}${start}\n[functions.gone]\n${end}\n${after}`)
    write('functions/theirs/index.ts', 'Deno.serve(() => new Response())')
    addIntegration('b-api')
    addIntegration('a-api')
    await refresh(monday)
    const block = ['a-api', 'b-api'].map((name) => `[functions.${name}]\nverify_jwt = false\n`).join('\n')
    expect(read('config.toml')).toBe(`${ownConfiguration}${start}\n${block}${end}\n${after}`)
  })

  it.each([
    ['both', ''],
    ['the first', `${end}\n`],
    ['the last', `${start}\n`],
    ['their order', `${end}\n${start}\n`],
  ])('that has lost %s of its marks is not touched, and nothing else is written', async (_, rest) => {
    write('config.toml', `${ownConfiguration}${rest}`)
    addIntegration('marks-api')
    const error = await refresh(monday).catch((error) => error)
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toBe(
      `supabase/config.toml lacks the two lines that enclose the integrations. Put both back at its end:\n${start}\n${end}`,
    )
    expect(read('config.toml')).toBe(`${ownConfiguration}${rest}`)
    expect(migrations()).toEqual([])
  })

  it('that says something of an integration outside of them is not made unreadable', async () => {
    write('config.toml', `[functions.twice-api]\nverify_jwt = true\n${start}\n${end}\n`)
    addIntegration('twice-api')
    await expect(refresh(monday)).rejects.toThrow(
      'supabase/config.toml has [functions.twice-api] outside of the lines that enclose the integrations. Remove it there',
    )
    expect(migrations()).toEqual([])
  })
})

describe('an integration.ts with a fault is told in one sentence, and nothing is written', () => {
  const source = (name: string, text: string) => write(`functions/${name}/integration.ts`, text)

  it.each<[string, () => void, string | RegExp]>([
    [
      'that cannot be parsed',
      () => source('parse-api', 'export const integration = {\n  name: ,\n}'),
      // The words are the loader's, and those of npm start are tried with it.
      /^parse-api\/integration\.ts cannot be read: line 2: .*\.$/,
    ],
    [
      'that throws',
      () => source('throws-api', "\nthrow new Error('FOO is missing\\nsecond line')"),
      /^throws-api\/integration\.ts cannot be read: line \d+: FOO is missing\.$/,
    ],
    [
      'that throws a text',
      () => source('text-api', "throw 'no'"),
      'text-api/integration.ts cannot be read: no.',
    ],
    [
      'that imports what is not there',
      () => source('imports-api', "import './gone.ts'"),
      /^imports-api\/integration\.ts cannot be read: .*gone\.ts.*\.$/,
    ],
    [
      'without the export',
      () => source('exports-api', 'export const integrations = {}'),
      'exports-api/integration.ts cannot be used: it exports no "integration".',
    ],
    [
      'named unlike its folder',
      () =>
        source('folder-api', 'export const integration = { name: "other-api", providers: [], tools: [] }'),
      'folder-api/integration.ts cannot be used: it is named "other-api". Name it like its folder, "folder-api".',
    ],
    [
      'without tools',
      () => source('toolless-api', 'export const integration = { name: "toolless-api", providers: [] }'),
      /^toolless-api\/integration\.ts cannot be used: "integration\.tools" is not right: .*expected array.*\.$/,
    ],
    [
      'with a tool that has no effect',
      () => addIntegration('effect-api', { tools: [tool('effect_forecast', { effect: undefined })] }),
      /^effect-api\/.* cannot be used: "integration\.tools\[0\]\.specification\.effect" is not right: .*"read"\|"write"\.$/,
    ],
    [
      'with a tool whose name no model can write',
      () => addIntegration('name-api', { tools: [tool('weather forecast')] }),
      /a tool name has letters, digits, _ and - only/,
    ],
    [
      'with two tools of one action',
      () => addIntegration('action-api', { tools: [tool('action_a'), tool('action_b')] }),
      'action-api/integration.ts cannot be used: two of its tools have the action "forecast". Give each its own.',
    ],
    [
      'with a tool whose provider it lacks',
      () => addIntegration('lack-api', { tools: [tool('lack_a', { providers: ['gmail'] })] }),
      'lack-api/integration.ts cannot be used: the tool "lack_a" names the provider "gmail", which is not among its providers (it has none).',
    ],
    [
      'with a tool of the name of another one',
      () => {
        addIntegration('one-api', { tools: [tool('same_forecast')] })
        addIntegration('other-api', { tools: [tool('same_forecast')] })
      },
      'one-api and other-api both have a tool "same_forecast". Rename one of them in integration.ts.',
    ],
    [
      'with a tool twice',
      () => addIntegration('two-api', { tools: [tool('two_a'), tool('two_a', {}, 'again')] }),
      'two-api has a tool "two_a" twice. Rename one of them in integration.ts.',
    ],
    [
      'with a provider of the name of another one',
      () => {
        addIntegration('mail-one-api', { providers: [provider('mail')] })
        addIntegration('mail-two-api', { providers: [provider('mail')] })
      },
      'mail-one-api and mail-two-api both have a provider "mail". Rename one of them in integration.ts.',
    ],
  ])('%s', async (_, add, sentence) => {
    add()
    const error = await refresh(monday).catch((error) => error)
    expect(error).toBeInstanceOf(StartError)
    if (typeof sentence === 'string') expect(error.message).toBe(sentence)
    else expect(error.message).toMatch(sentence)
    expect(error.message).not.toMatch(/\n|\/tmp|node_modules/)
    expect(migrations()).toEqual([])
    expect(read('config.toml')).not.toContain('-api')
  })
})

it("leaves a team's own functions alone", async () => {
  write('functions/theirs/index.ts', 'throw new Error()')
  write('functions/_shared/cors.ts', 'throw new Error()')
  write('functions/.env', 'A=1')
  addIntegration('beside-api')
  await refresh(monday)
  expect(read('config.toml')).toContain(ownConfiguration)
  expect(existsSync(join(directory, 'functions/theirs/deno.json'))).toBe(false)
  expect(read(`migrations/${migrations()[0]}`)).not.toMatch(/theirs|_shared/)
})
