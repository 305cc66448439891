import { partsInEnglish } from '../../words/in-english.ts'
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
}

const listedNeeded = 10

/**
 * The whole sentence.
 *
 * @example
 * sentenceOf({ code: 'value_missing', asked: 'Who gets it?', hint: 'Please name an address.', alsoNeeded: ['subject'] })
 * // => 'Who gets it? Please name an address. Also needed: subject.'
 */
export function sentenceOf({ because, asked, hint, alsoNeeded = [] }: Omit<Asked, 'code'>): string {
  const more = alsoNeeded.length - listedNeeded
  const needed = `${alsoNeeded.slice(0, listedNeeded).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [because, asked, hint, alsoNeeded.length > 0 ? `Also needed: ${needed}.` : '']
    .filter(Boolean)
    .join(' ')
}

/** A sentence of ours with its English words, in parts. */
export function askedInEnglish({ code, values }: Said): Asked {
  return { code, ...(values ? { values } : {}), ...partsInEnglish({ code, values }) } as Asked
}
