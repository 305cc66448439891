import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../../../support/docs-pages.ts'
import { project } from '../../../support/stack.ts'

const table = readPage('CONTRIBUTING.md').split('## To change X, open Y')[1] ?? ''
const rows = [...table.matchAll(/^\| (?!X |---)(.+?) \| (.+) \|$/gm)].map(([, what = '', where = '']) => ({
  what,
  where,
  named: [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
}))

/** In the folder of each. */
const ofAnyIntegration = new Set(['integration.ts', 'actions.ts', 'words.ts'])

const isPath = (name: string) => /\/|\.\w+$/.test(name)

/** Paths from the top of the repository; a name without a folder is beside the path before it. */
function pathsOf({ named }: { named: readonly string[] }): string[] {
  let folder = ''
  return named.filter(isPath).flatMap((name) => {
    if (ofAnyIntegration.has(name)) return []
    const path = name.includes('/') && !existsSync(join(project, folder, name)) ? name : join(folder, name)
    folder = path.endsWith('/') ? path : dirname(path)
    return [path]
  })
}

test('there are rows', () => {
  expect(rows.length).toBeGreaterThan(80)
})

test.each(rows)('$what: at most three files, which are there, with what is named in them', (row) => {
  const paths = pathsOf(row)
  expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
  expect(paths.length).toBeLessThanOrEqual(3)
  const files = paths.filter((path) => statSync(join(project, path)).isFile())
  const text = files.map((path) => readFileSync(join(project, path), 'utf8')).join('\n')
  const inFiles = row.named.filter(
    (name) => !isPath(name) && files.length > 0 && !/^(question|hint|askback)$/.test(name),
  )
  expect(inFiles.filter((name) => !text.includes(name.replace(/^askback\./, '')))).toEqual([])
})
