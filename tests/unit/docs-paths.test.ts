import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
]

/** Paths of this repository in a page: link targets, and whole paths as text. */
function pathsIn(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)\s]+)\)/g)].map(([, target = '']) =>
    join(dirname(page), target.replace(/#.*$/, '')),
  )
  const named = [
    ...text.matchAll(/(?<![\w./@-])(?:shared|supabase|local|scripts|tests|web|client)\/[\w./-]*[\w/]/g),
  ].map(([path]) => path)
  return [...links, ...named]
}

test.each(pages)('%s names only files that are there', async (page) => {
  const text = await readFile(join(root, page), 'utf8')
  const paths = pathsIn(page, text)
  // This page is about the files of a team.
  if (page !== 'docs/your-own-functions.md') expect(paths.length).toBeGreaterThan(10)
  // The walk of "Add a tool" makes these.
  const made = /weather/
  expect(paths.filter((path) => !made.test(path) && !existsSync(join(root, path)))).toEqual([])
})
