import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import { root } from '../../../scripts/platform.ts'
import { languages } from '../../../web/base/language.ts'
import { language as german } from '../../../web/languages/de/de.ts'
import { agentsWords } from '../../../web/pages/agents/words.ts'

const web = join(root, 'web')

/** The source of the app, file by file, without its languages. */
async function readApp(): Promise<{ path: string; text: string }[]> {
  const paths = (await readdir(web, { recursive: true })).filter(
    (path) => /\.tsx?$/.test(path) && !path.startsWith('languages'),
  )
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(web, path), 'utf8') })))
}

test('each part of the app has its German, and German has no other part', async () => {
  const parts = (await readApp()).flatMap(({ text }) =>
    [...text.matchAll(/^export const \w+ = wordsOf\('(\w+)'/gm)].map(([, part]) => part),
  )
  expect(parts.length).toBeGreaterThan(0)
  expect(['client', ...parts].sort()).toEqual(Object.keys(german).sort())
})

test('another language is one folder: nothing else in the app names one', async () => {
  const files = (await readdir(join(web, 'languages'))).flatMap((name) => /^\w\w$/.exec(name)?.[0] ?? [])
  expect(languages).toEqual(['en', ...files].sort())
  const app = await readApp()
  const naming = app.filter(({ text }) =>
    files.some((tag) => new RegExp(`['"/]${tag}(?:\\.ts)?['"]`).test(text)),
  )
  expect(naming.map(({ path }) => path)).toEqual([])
})

test('each of our tools says in a sentence for people what it does', async () => {
  const integrations = await readIntegrations(join(root, 'supabase/functions'))
  const names = integrations.flatMap(({ tools }) => tools).map(({ specification }) => specification.name)
  expect(Object.keys(agentsWords().toolNotes).sort()).toEqual(names.sort())
})
