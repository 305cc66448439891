import { expect, test } from 'vitest'
import { bareAddress, splitList } from '../../../shared/words/typed-list.ts'

test.each([
  ['a, b;c\nd', ['a', 'b', 'c', 'd']],
  [
    '"Lovelace, Ada" <ada@example.com>, bob@example.com',
    ['"Lovelace, Ada" <ada@example.com>', 'bob@example.com'],
  ],
  ['"a \\" b, c" <x@example.com>; d', ['"a \\" b, c" <x@example.com>', 'd']],
  // A quote that nothing closes is a character like others, and so is one within an item.
  ['"a, b', ['"a', 'b']],
  ['5" screen, 7" screen', ['5" screen', '7" screen']],
  [' , ;\n', []],
])('%j has these items', (typed, items) => {
  expect(splitList(typed)).toEqual(items)
})

test.each([
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
  ['Ada <ada@example.com>', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  ['ada@example.com', 'ada@example.com'],
  // Which one is meant cannot be known.
  ['Boss <boss@example.com> <eve@evil.example>', 'Boss <boss@example.com> <eve@evil.example>'],
  ['ada', 'ada'],
])('the address of %j is %j', (typed, address) => {
  expect(bareAddress(typed)).toBe(address)
})
