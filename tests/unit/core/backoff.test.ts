import { expect, test } from 'vitest'
import { waitBeforeTry } from '../../../shared/engine/core/backoff.ts'

test('a wait doubles with each try, up to the longest', () => {
  const waits = [1, 2, 3, 4, 5].map((tries) => waitBeforeTry(tries, { baseMs: 100, longestMs: 1000 }))
  expect(waits).toEqual([100, 200, 400, 800, 1000])
})

test('half of a wait is left to chance', () => {
  expect([0, 0.5, 0.999].map((chance) => waitBeforeTry(2, { baseMs: 500, chance }))).toEqual([500, 750, 1000])
})

test('what was asked for comes first, also when it is nothing or longer than the longest', () => {
  for (const askedMs of [0, 60_000])
    expect(waitBeforeTry(4, { baseMs: 500, longestMs: 1000, chance: 0, askedMs })).toBe(askedMs)
})

test('a thousand tries do not overflow', () => {
  expect(waitBeforeTry(5000, { baseMs: 100, longestMs: 1000 })).toBe(1000)
})
