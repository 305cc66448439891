import { expect, test } from 'vitest'
import { readFound } from '../../../client/react/calls/found-items.ts'

test('what a search found is a list with its sources', () => {
  const output = {
    results: [{ title: 'Deno', url: 'https://deno.com', snippet: 'A runtime.' }],
    provider: 'serper',
  }
  expect(readFound(output)).toEqual([{ title: 'Deno', url: 'https://deno.com', text: 'A runtime.' }])
  expect(readFound({ documents: [] })).toEqual([])
})

test('an address that is no web page is not a link', () => {
  expect(readFound({ results: [{ title: 'Click', url: 'javascript:alert(1)' }] })?.[0]?.url).toBeUndefined()
})

test('other outputs are shown as they are', () => {
  expect(readFound({ messageId: '<1>', accepted: ['ada@example.com'], refused: [] })).toBeUndefined()
  expect(readFound({ results: [{ id: 'm1', ok: true }] })).toBeUndefined()
  expect(readFound('text')).toBeUndefined()
})
