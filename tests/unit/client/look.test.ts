import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(join(import.meta.dirname, '../../..', path), 'utf8')
const listDefined = (css: string) => [...css.matchAll(/(--askback-[a-z-]+):/g)].map(([, name]) => name)
/** Those that have a value for the whole page. */
const listGiven = (css: string) => listDefined(/:root \{[^}]*\}/.exec(css)?.[0] ?? '')
/** No colours, so that a theme need not set them. */
const sizes = ['--askback-size', '--askback-target', '--askback-line-height', '--askback-rise']

test('the pieces read no variables but their own, which the docs name, and stand in their layer', async () => {
  const css = `${await read('client/react/askback.css')}\n${await read('client/react/chat.css')}`
  const docs = await read('docs/your-design.md')
  const used = [...css.matchAll(/var\((--[a-z-]+)(,?)/g)]
  // Each has a value, or another one where it is read.
  const unset = used.filter(([, name, other]) => !other && !listDefined(css).includes(name))
  expect(unset.map(([, name]) => name)).toEqual([])
  const others = used.filter(([, , other]) => other).map(([, name]) => name)
  const names = new Set([...listGiven(css), ...others])
  expect([...names].filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
  const outside = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^@layer askback \{[\s\S]*^\}/m, '')
  expect(outside.trim()).toBe('')
})

test('a theme gives every variable of the pieces a value', async () => {
  const given = listGiven(await read('client/react/askback.css')).filter(
    (name) => !sizes.includes(name ?? ''),
  )
  for (const theme of ['client/react/shadcn.css', 'web/styles/tokens.css'])
    expect(listDefined(await read(theme)), theme).toEqual(expect.arrayContaining(given))
})
