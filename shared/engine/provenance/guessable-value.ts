import { unspacedScript } from '../core/unspaced-scripts.ts'

/** Letters of a word that is not in a message by chance; fewer in scripts where each is a syllable or a word. */
const fewestLetters = 3
const fewestUnspaced = 2
/** Digits of a number that is not in a message by chance. */
const fewestDigits = 4

/**
 * Whether somebody who has not read the user's message could have guessed a value in it: one or two letters, a small
 * number, or the date of today. `today`: as `dateKey` writes it, in each time zone that could be meant.
 *
 * @example
 * isGuessable(100, []) // => true
 * isGuessable('21.11.2026', [dateKey('2026-11-21')]) // => true
 * isGuessable('Weekly report', []) // => false
 */
export function isGuessable(value: string | number, today: readonly string[]): boolean {
  const text = String(value)
  const letters = text.match(/\p{L}/gu) ?? []
  const unspaced = letters.filter((letter) => unspacedScript.test(letter))
  if (letters.length >= fewestLetters || unspaced.length >= fewestUnspaced) return false
  if (letters.length === 0 && today.includes(dateKey(text))) return true
  return (text.match(/\p{Nd}/gu) ?? []).length < fewestDigits
}

/** The numbers of a date, the same in whatever order they are written: `2026-11-21`, `21.11.2026`, `20261121`. */
export function dateKey(text: string): string {
  const spaced = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const numbers = (spaced.match(/\d+/g) ?? []).map(Number)
  return numbers.toSorted((a, b) => a - b).join('-')
}
