import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeIntegration } from '../../../scripts/new-integration/make-integration.ts'
import { project } from '../../../support/stack.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
  mkdirSync(join(directory, 'supabase/functions'), { recursive: true })
  mkdirSync(join(directory, 'supabase/migrations'))
  for (const file of ['deno.json', 'supabase/config.toml']) cpSync(join(project, file), join(directory, file))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(directory, path), 'utf8')

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

/** What was made imports it. */
function share(...folders: string[]): void {
  for (const folder of folders) symlinkSync(join(project, folder), join(directory, folder))
}

async function make(word: string | undefined): Promise<string> {
  return await makeIntegration(directory, word).then(
    () => 'made',
    (error) => error.message,
  )
}

it.each([
  [undefined, 'The name of the integration is missing.'],
  ['', 'The name of the integration is missing.'],
  ['Weather', '"Weather" is no name for an integration.'],
  ['../weather', '"../weather" is no name for an integration.'],
  ['weather forecast', '"weather forecast" is no name for an integration.'],
  ['2weather', '"2weather" is no name for an integration.'],
  ['weather--api', '"weather--api" is no name for an integration.'],
  ['w'.repeat(41), `"${'w'.repeat(41)}" is no name for an integration.`],
])('refuses the name %j', async (word, problem) => {
  expect(await make(word)).toBe(
    `${problem} Use small letters, digits and single dashes, 40 at most, beginning with a letter: npm run new-integration -- tasks`,
  )
  expect(readdirSync(join(directory, 'supabase/functions'))).toEqual([])
})

it('refuses what is there already, and touches nothing of it', async () => {
  write('supabase/functions/mine-api/index.ts', 'mine')
  expect(await make('mine')).toBe(
    'supabase/functions/mine-api is there already. Choose another name, or remove it first.',
  )
  expect(readdirSync(join(directory, 'supabase/functions/mine-api'))).toEqual(['index.ts'])
  write('tests/functions/yours-api.test.ts', 'yours')
  expect(await make('yours-api')).toContain('tests/functions/yours-api.test.ts is there already.')
  expect(existsSync(join(directory, 'supabase/functions/yours-api'))).toBe(false)
})

it('refuses a name whose tool another integration has', async () => {
  const specification = { name: 'sun_find', description: 'Sun.', parameters: {}, effect: 'read' }
  const integration = { name: 'sky-api', providers: [], tools: [{ action: 'sun', specification }] }
  write(
    'supabase/functions/sky-api/integration.ts',
    `export const integration = ${JSON.stringify(integration)}`,
  )
  expect(await make('sun')).toBe('sky-api has a tool sun_find already. Choose another name.')
})

it('refuses a name that another integration has for a provider', async () => {
  const provider = { id: 'sun', name: 'Sun', description: 'Shines.', service: 'sun', purpose: 'see' }
  const integration = { name: 'sky-api', providers: [{ ...provider, connection: {} }], tools: [] }
  write(
    'supabase/functions/sky-api/integration.ts',
    `export const integration = ${JSON.stringify(integration)}`,
  )
  expect(await make('sun')).toBe('sky-api has a provider sun already. Choose another name.')
})

it('makes nothing while another integration has a fault', async () => {
  write(
    'supabase/functions/odd-api/integration.ts',
    'export const integration = { name: "even-api", tools: [], providers: [] }',
  )
  expect(await make('sea')).toContain('odd-api/integration.ts cannot be used: it is named "even-api".')
  expect(existsSync(join(directory, 'supabase/functions/sea-api'))).toBe(false)
})

it('gives everything the name in its own spelling, and the pins of the project', async () => {
  share('shared', 'node_modules')
  const made = await makeIntegration(directory, 'river-level')
  expect(made).toMatchObject({
    name: 'river-level-api',
    tool: 'river_level_find',
    test: 'tests/functions/river-level-api.test.ts',
  })
  const text = made.files.map(read).join('\n')
  expect(text).toContain("name: 'river_level_add'")
  expect(text).toContain("id: 'river-level',\n  name: 'River level'")
  expect(text).toContain('Bitte kopiere ihn aus deinem Konto bei River level.')
  expect(text).toContain('env.RIVER_LEVEL_API_BASE_URL')
  expect(text).not.toMatch(/tasks[-_]api\b|\btasks_|'tasks'|\bTasks\b/)
  expect(JSON.parse(read('supabase/functions/river-level-api/deno.json')).imports.hono).toBe(
    JSON.parse(read('deno.json')).imports.hono,
  )
  expect(read('supabase/config.toml')).toContain('[functions.river-level-api]\nverify_jwt = false\n')
})

it('takes back what it has made when it cannot be put into the configuration', async () => {
  share('shared', 'node_modules')
  write('supabase/config.toml', `[functions.tide-api]\nverify_jwt = true\n${read('supabase/config.toml')}`)
  expect(await make('tide')).toContain('supabase/config.toml has [functions.tide-api] outside of the lines')
  expect(readdirSync(join(directory, 'supabase/functions'))).toEqual([])
  expect(readdirSync(join(directory, 'tests/functions'))).toEqual([])
})
