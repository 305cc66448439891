import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CallOutput } from '../../../client/react/calls/call-output.tsx'

const show = (output: unknown) => renderToStaticMarkup(createElement(CallOutput, { output }))
const million = 1_000_000

test.each([
  ['a text', 'A line.\n'.repeat(million / 4)],
  ['a text without lines', 'x'.repeat(2 * million)],
  [
    'a nested value',
    { rows: Array.from({ length: 20_000 }, (_, id) => ({ id, held: { name: 'x'.repeat(80) } })) },
  ],
  [
    'found items',
    {
      results: Array.from({ length: 20_000 }, (_, id) => ({
        title: `Result ${id}`,
        snippet: 'x'.repeat(80),
      })),
    },
  ],
  ['one found item', { results: [{ title: 'Result', snippet: 'x'.repeat(2 * million) }] }],
  [
    'plain values',
    Object.fromEntries(Array.from({ length: 20_000 }, (_, id) => [`name ${id}`, 'x'.repeat(80)])),
  ],
  ['a plain list', { ids: Array.from({ length: 200_000 }, (_, id) => `id-${id}`) }],
])('of %s of 2 MB the beginning is shown, and the rest on request', (_, output) => {
  const html = show(output)
  expect(html.length).toBeLessThan(15_000)
  expect(html).toContain('Show more')
})

test('what is short is shown whole, without a button', () => {
  for (const output of ['done', { a: { b: 1 } }, { results: [{ title: 'One' }] }, { id: '1' }]) {
    expect(show(output)).not.toContain('Show more')
  }
})

test('times are told in the zone of their reader', () => {
  const moment = '2026-07-01T09:00:00Z'
  const told = new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  expect(show({ at: moment })).toContain(told)
  expect(show({ results: [{ title: 'Plan', modified: moment }] })).toContain(told)
})
