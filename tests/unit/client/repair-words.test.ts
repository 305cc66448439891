import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { english } from '../../../client/labels/en.ts'
import { describeRepairs } from '../../../client/react/calls/repair-words.ts'
import { project } from '../../../support/stack.ts'

test('repairs are told in plain words, each once', () => {
  const repairs = [
    { path: '', rule: 'trailing_comma' },
    { path: '', rule: 'doubled_comma' },
    { path: 'to', rule: 'one-item-array' },
    { path: 'to', rule: 'one_of_tomorrow' },
  ]
  expect(describeRepairs(repairs, english)).toEqual([
    'An extra comma',
    'To: turned into a list of one',
    'To: one of tomorrow',
  ])
})

test('a repair of an argument names it as its card does', () => {
  const repairs = [{ path: 'p_order_id', rule: 'one-item-array' }]
  expect(describeRepairs(repairs, english, () => 'Order id')).toEqual(['Order id: turned into a list of one'])
})

test('every rule of the engine has words', () => {
  const folders = ['reading', 'calls/repair', 'calls', 'loop'].map((one) =>
    join(project, 'shared/engine', one),
  )
  const sources = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  const rules = sources.flatMap((source) =>
    [...source.matchAll(/\brule: '([a-z_-]+)'|\brules\.(?:add|push)\('([a-z_-]+)'/g)].map(
      ([, named, added]) => named ?? added ?? '',
    ),
  )
  expect(rules.length).toBeGreaterThan(15)
  const unknown = rules.filter(
    (rule) =>
      describeRepairs([{ path: 'x', rule }], english)[0] === `X: ${rule.replace(/[-_]/g, ' ')}` &&
      rule !== 'number',
  )
  expect(unknown).toEqual([])
})
