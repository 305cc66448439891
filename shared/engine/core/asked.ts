import { english } from '../../words/languages/english.ts'
import { type About, sayInEnglish } from '../../words/languages/in-english.ts'
import type { SentenceCode } from '../../words/sentence-codes.ts'

/** A sentence for people as data, so that a client can translate it. */
export interface Said {
  /** Identifies the meaning: stable, whatever the wording. */
  code: SentenceCode
  /** The values in the sentence. */
  values?: Record<string, unknown>
}

/** What a person is asked or told, in parts, so that nobody has to parse the sentence. */
export interface Asked extends Said {
  /** The reason, said before the question. */
  because?: string
  asked: string
  /** What to enter, or what to do. */
  hint?: string
  /** Titles of the other missing fields. */
  alsoNeeded?: string[]
  /** What will be done, if that is not what is asked. */
  confirm?: string
}

/**
 * The whole sentence.
 *
 * @example
 * sentenceOf({ code: 'value_missing', asked: 'Who gets it?', hint: 'Please name an address.', alsoNeeded: ['subject'] })
 * // => 'Who gets it? Please name an address. Also needed: subject.'
 */
export function sentenceOf({ because, asked, hint, alsoNeeded = [] }: Omit<Asked, 'code'>): string {
  const needed = alsoNeeded.length > 0 ? english.alsoNeeded(alsoNeeded) : ''
  return [because, asked, hint, needed].filter(Boolean).join(' ')
}

/**
 * What people are asked or told, with its words: those that it brings, else the catalogue's (`shared/words/sentences/`).
 * Where there are none, a person still reads which tool it is about.
 *
 * @example
 * askedInEnglish({ code: 'value_missing', values: { question: 'Who gets it?', needed: ['subject'] } })
 * // => { code: 'value_missing', values: { question: 'Who gets it?', needed: ['subject'] }, asked: 'Who gets it?', hint: 'Please provide its value.', alsoNeeded: ['subject'] }
 */
export function askedInEnglish(said: Said & Partial<Asked>, about: About = {}): Asked {
  const { code, values, asked } = said
  if (asked !== undefined) return { ...said, asked }
  const words = sayInEnglish({ code, values }, about)
  const { needed, tool } = values ?? {}
  return {
    code,
    values,
    because: words?.because || undefined,
    asked: words?.asked ?? String(tool ?? code),
    hint: words?.hint || undefined,
    confirm: words?.confirm || undefined,
    alsoNeeded: Array.isArray(needed) && needed.length > 0 ? needed.map(String) : undefined,
  }
}
