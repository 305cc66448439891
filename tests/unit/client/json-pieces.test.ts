import { expect, test } from 'vitest'
import { jsonPieces } from '../../../client/values/json-pieces.ts'

const write = (value: unknown) => [...jsonPieces(value)].join('')

test.each([
  [{ a: 1, b: ['x', { c: null }], d: {}, e: [] }],
  [[[1], 'two', true]],
  ['a "quoted" text\nin lines'.repeat(500)],
  [{ gone: undefined, there: 'é😀'.repeat(3000) }],
  [5],
  [null],
])('writes the JSON of %j', (value) => {
  expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(value)))
})

test('lays it out in lines', () => {
  expect(write({ a: [1, 2] })).toBe(JSON.stringify({ a: [1, 2] }, null, 2))
})

test('writes no more than what is asked for', () => {
  let read = 0
  const items = new Proxy([] as number[], {
    get: (list, name) => {
      if (name === 'length') return 1_000_000
      if (typeof name === 'string' && /^\d+$/.test(name)) return ++read
      return Reflect.get(list, name)
    },
  })
  const pieces = jsonPieces(items)
  for (let count = 0; count < 10; count++) pieces.next()
  expect(read).toBeLessThan(10)
})
