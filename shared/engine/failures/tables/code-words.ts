import type { Meaning } from './verdict.ts'
import { allWords } from './words.ts'

/** The meaning of an undocumented code by its words; a single word says too little. */
export function meaningOfCodeWords(code: string): Meaning | undefined {
  const words = wordsOfCode(code)
  if (!words.includes(' ')) return undefined
  const meaning = allWords.find((rule) => rule.words.test(words))?.meaning
  // Servers also say that they failed for any request that they did not understand.
  return meaning && 'type' in meaning && meaning.type === 'unavailable' ? { as: 500 } : meaning
}

/** `msg_too_long` and `msgTooLong` as `msg too long`. */
export function wordsOfCode(code: string): string {
  return code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
}
