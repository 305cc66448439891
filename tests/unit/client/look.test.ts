import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(join(import.meta.dirname, '../../..', path), 'utf8')
const listDefined = (css: string) => [...css.matchAll(/(--askback-[a-z-]+):/g)].map(([, name]) => name)

test('the pieces read no variables but their own, and stand in their layer', async () => {
  const css = await read('client/react/askback.css')
  const used = [...css.matchAll(/var\((--[a-z-]+)/g)].map(([, name]) => name)
  expect([...new Set(used)].filter((name) => !listDefined(css).includes(name))).toEqual([])
  const outside = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^@layer askback \{[\s\S]*^\}/m, '')
  expect(outside.trim()).toBe('')
})

test('a theme gives every variable of the pieces a value', async () => {
  const names = new Set(listDefined(await read('client/react/askback.css')))
  for (const theme of ['client/react/shadcn.css', 'web/styles/tokens.css'])
    expect(new Set(listDefined(await read(theme))), theme).toEqual(names)
})
