import { phrases } from './phrases.ts'
import type { Meaning } from './verdict.ts'

/** What words of an error mean. */
export interface WordRule {
  words: RegExp
  meaning: Meaning
}

/** A rule for a list of phrases; see `phrases` for how they are written. */
export function rule(meaning: Meaning, ...list: string[]): WordRule {
  return { words: phrases(...list), meaning }
}
