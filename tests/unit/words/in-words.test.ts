import { expect, test } from 'vitest'
import { inWords } from '../../../shared/words/in-words.ts'

test.each<[string[], string]>([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
  [['Lovelace, Ada'], 'Lovelace, Ada'],
  [['a', 'Lovelace, Ada'], 'a or Lovelace, Ada'],
])('%j is one list in words, commas within a name aside', (names, words) => {
  expect(inWords(names, 'or')).toBe(words)
})
