import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { environment } from '../../scripts/platform.ts'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { startTestDatabase } from '../../support/database.ts'
import { isExcerpt, moduleOf, pages, readPage } from '../../support/docs-pages.ts'
import { blocksIn } from '../../support/readme-blocks.ts'
import { project } from '../../support/stack.ts'
import { makeSupabaseProject, writeFiles } from '../../support/supabase-project.ts'

const run = promisify(execFile)
const functions = 'supabase/functions'
const denoEnvironment = { ...environment, DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' }

/** A project with Askback and an integration of its own, and what an app of it has installed. */
let folder: string

beforeAll(async () => {
  folder = makeSupabaseProject({ 'package.json': '{ "private": true, "type": "module" }' })
  await askback(folder, ['add', '--yes'])
  await askback(folder, ['new-integration', 'tasks'])
  const packages = join(folder, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(project, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(project, 'node_modules', name), join(packages, name))
  cpSync(builtPackage(), join(packages, 'askback'), { recursive: true })
})

const ownWords = 'docs/your-own-words.md'

it('checks the TypeScript of every page, where a project has it', async () => {
  const modules = pages.flatMap((page): [string, string][] => {
    const text = moduleOf(page)
    return text === undefined ? [] : [[`${functions}/${page.replace(/\W/g, '-')}.mts`, text]]
  })
  const words = blocksIn(readPage(ownWords))
    .filter((block) => block.language === 'ts' && isExcerpt(block))
    .map(({ text }, index): [string, string] => [`${functions}/words-${index}.mts`, text])
  expect(modules.length).toBeGreaterThan(3)
  expect(words.length).toBeGreaterThan(0)
  const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'))
  const files = [...modules, ...words]
  writeFiles(folder, {
    ...Object.fromEntries(files),
    'tsconfig.json': JSON.stringify({ compilerOptions, files: files.map(([path]) => path) }),
  })
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
  expect(stdout).toBe('')
})

it('checks the integration that it writes, with its test, as Deno does', async () => {
  const own = `${functions}/tasks-api`
  const words = ['check', '--no-lock', '--config', `${own}/deno.json`]
  const files = ['index.ts', 'actions.test.ts'].map((file) => `${own}/${file}`)
  await run(findDeno(), [...words, ...files], { cwd: folder, env: denoEnvironment })
})

it('runs the SQL of every page', async () => {
  const database = await startTestDatabase()
  try {
    for (const page of pages) {
      const blocks = blocksIn(readPage(page)).filter(({ language }) => language === 'sql')
      if (blocks.length === 0) continue
      // Each page for itself: nothing of it stays.
      const tried = database.sql.begin(async (transaction) => {
        await transaction.unsafe(supposed)
        await transaction.unsafe('set local role postgres')
        for (const { text } of blocks) await transaction.unsafe(text)
        throw new Error('all of it ran')
      })
      await expect(tried, page).rejects.toThrow('all of it ran')
    }
  } finally {
    await database.close()
  }
})

/** What the pages suppose: the key of the bell, the Vault of a hosted project, a function that a later version adds, one of an app, somebody's account. */
const supposed = `
  insert into askback.bell_key (modulus, sealed) values (repeat('f', 512), 'sealed');
  create schema vault;
  create function vault.create_secret(text, text) returns uuid language sql return gen_random_uuid();
  grant usage on schema vault to postgres;
  create function askback.better_search(uuid, text) returns json language sql return '[]'::json;
  alter function askback.better_search owner to postgres;
  create function public.close_ticket(title text) returns text language sql as 'select title';
  grant execute on function public.close_ticket to authenticated;
  insert into auth.users (id, email) values ('11111111-1111-1111-1111-111111111111', 'ada@example.com');
`

it('tests the integration that it writes against everything that its provider can do wrong', async () => {
  const env = { PATH: `${join(findDeno(), '..')}:${process.env.PATH}`, DENO_DIR: environment.DENO_DIR ?? '' }
  const { code, stdout, stderr } = await askback(folder, ['test'], env)
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('tasks_add: lost answer')
})

it('says so if there is nothing to test', async () => {
  const other = makeSupabaseProject()
  await askback(other, ['add', '--yes', '--integrations', 'smtp'])
  expect(await askback(other, ['test'])).toMatchObject({
    code: 1,
    stderr: 'This project has no integration of its own. `npx askback new-integration NAME` makes one.\n',
  })
})
