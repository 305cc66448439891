import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stylesheets, subpaths } from '../../../scripts/build/subpaths.ts'
import { readPage } from '../../../support/docs-pages.ts'
import { project } from '../../../support/stack.ts'

// What the pages say an app can import.

const pages = ['client/README.md', 'docs/your-design.md']

const kebab = (name: string) => name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()

/** `askback/react/labels` of `LabelsProvider`, as each page writes it: the names, and the path in brackets behind them. */
function listNamed(page: string): [string, string][] {
  const text = readPage(page)
  const named = [...text.matchAll(/((?:`[^`\n]+`(?: \([^`()]*\))?(?:, | and )?)+) \(`askback\/([^`]+)`\)/g)]
  return named.flatMap(([, names = '', path = '']) =>
    [...names.matchAll(/`<?([A-Za-z]+)/g)].map(([, name = '']): [string, string] => [
      name,
      `./${path.replace('…', kebab(name))}`,
    ]),
  )
}

/** Whether a module exports a name, of its own or from where it takes it. */
function exports(source: string, name: string): boolean {
  const text = readFileSync(join(project, source), 'utf8')
  return new RegExp(
    `^export (?:async )?(?:function|const|class|interface|type) ${name}\\b|^export (?:type )?\\{[^}]*\\b${name}\\b`,
    'm',
  ).test(text)
}

const named = pages.flatMap(listNamed)

it('is found on the pages', () => {
  expect(named).toContainEqual(['AlwaysAllow', './react/always-allow'])
  expect(named).toContainEqual(['AllLabels', './client/labels/en-integrations'])
  expect(named.length).toBeGreaterThan(30)
})

it.each(named)('%s is exported by askback%s', (name, subpath) => {
  const source = subpaths[subpath]
  expect(source).toBeDefined()
  expect(exports(source ?? '', name)).toBe(true)
})

it.each(pages)('%s imports only what there is', (page) => {
  for (const [, path] of readPage(page).matchAll(/["']askback(\/[\w./-]+)?["']/g)) {
    const subpath = `.${path ?? ''}`
    expect(
      subpath in subpaths || subpath in stylesheets || existsSync(join(project, path ?? '')),
      subpath,
    ).toBe(true)
  }
})
