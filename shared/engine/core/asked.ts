import type { SentenceCode } from './sentence-codes.ts'

/** A sentence for people as data, so that a client can say it in another language. */
export interface Said {
  /** What it says: stable, whatever the words. */
  code: SentenceCode
  /** What the words are about. */
  values?: Record<string, unknown>
}

/** What a person is asked or told, in parts: nobody has to take the sentence apart. */
export interface Asked extends Said {
  /** Why it is asked, said before it. */
  because?: string
  asked: string
  /** What belongs there, or what to do. */
  hint?: string
  /** Titles of what else is missing. */
  alsoNeeded?: string[]
}

const listedNeeded = 10

/**
 * The sentence as a whole.
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
