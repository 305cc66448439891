import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, readPage } from '../../../support/docs-pages.ts'
import { project } from '../../../support/stack.ts'

/** A page without its code, where brackets are no links. */
const proseOf = (page: string) => readPage(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '')

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{Pc} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Where the links of a page lead that stay in the repository. Those of others are not asked. */
function linksOf(page: string): { path: string; anchor: string | undefined }[] {
  return [...proseOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => {
    const [path = '', anchor] = target.split('#')
    return { path: path === '' ? page : join(dirname(page), path), anchor }
  })
}

test.each(pages)('every link of %s leads to a file, and to a heading of it', (page) => {
  const broken = linksOf(page).filter(
    ({ path, anchor }) =>
      !existsSync(join(project, path)) || (anchor !== undefined && !anchorsOf(path).has(anchor)),
  )
  expect(broken).toEqual([])
})

test.each(pages)('%s names only files that are there', (page) => {
  const named = [
    ...readPage(page).matchAll(
      /(?<![\w./@-])(?:cli|client|lab|local|scripts|shared|supabase|support|tests|web)\/[\w./-]*[\w/]/g,
    ),
  ].map(([path]) => path)
  // Made by whoever follows the page: the tool of "Add a tool", settings of their own.
  const made = /tasks-api|\.env$|\/_askback\/|functions\/\.gitignore$/
  expect(named.filter((path) => !made.test(path) && !existsSync(join(project, path)))).toEqual([])
})

test('the page of the start leads to every page of docs', () => {
  const linked = new Set(linksOf('README.md').map(({ path }) => path))
  expect(pages.filter((page) => /^docs\/[\w-]+\.md$/.test(page) && !linked.has(page))).toEqual([])
})

test('sources name only pages that are there', () => {
  const found = execFileSync(
    'git',
    ['grep', '-ohE', 'docs/[a-z][a-z-]*\\.md', '--', '*.ts', '*.tsx', '*.sql', '*.json'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  )
  // Told by a provider's error, which a test has word for word.
  const quoted = ['docs/a.md']
  const named = new Set(found.split('\n').filter((path) => path !== '' && !quoted.includes(path)))
  expect(named.size).toBeGreaterThan(0)
  expect([...named].filter((path) => !existsSync(join(project, path)))).toEqual([])
})

test('every picture of docs is shown on a page', () => {
  const shown = new Set(pages.flatMap((page) => linksOf(page).map(({ path }) => path)))
  const pictures = execFileSync('git', ['ls-files', 'docs/*.png', 'docs/*.svg'], {
    cwd: project,
    encoding: 'utf8',
  })
  expect(pictures.split('\n').filter((path) => path !== '' && !shown.has(path))).toEqual([])
})

test('every command of npm that a page names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const named = pages.flatMap((page) =>
    [...readPage(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
  )
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
