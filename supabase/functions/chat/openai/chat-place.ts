import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { splitQuoted } from '../../../../shared/engine/provenance/quoted-text.ts'
import type { ChatPlace } from '../request/user-message.ts'
import type { GivenMessage } from './earlier-messages.ts'
import { withQuotedTexts } from './given-parts.ts'
import { wordsOf } from './typed-words.ts'

/** The newest user messages of a history that are looked at. */
const mostMessages = 1000
/** Characters of a fingerprint, in hex: enough to tell one user's messages apart. */
const fingerprintLength = 24

/** Fingerprints of what the user typed in each of their messages; none for one that only quotes. */
export type Fingerprints = ReadonlyMap<GivenMessage, string>

/**
 * Fingerprints of a history's user messages, of the newest 1,000. Quotations count for nothing: front ends change them from
 * request to request.
 */
export async function fingerprintsOf(given: readonly GivenMessage[]): Promise<Fingerprints> {
  const typed = given.filter(({ role }) => role === 'user').slice(-mostMessages)
  const prints = await Promise.all(typed.map(async (one) => [one, await fingerprint(one.content)] as const))
  return new Map(prints.flatMap(([one, print]) => (print === undefined ? [] : [[one, print]])))
}

/** Where the user's newest message stands in its chat: by what was typed in it, and in those before it. */
export function findPlace(given: readonly GivenMessage[], prints: Fingerprints): ChatPlace {
  const typed = given.filter(({ role }) => role === 'user')
  const newest = typed.pop()
  const words = newest && prints.get(newest)
  const wordsBefore = typed.map((one) => prints.get(one)).filter((print) => print !== undefined)
  return { words, wordsBefore }
}

/** An answer in a client's history. */
export interface GivenAnswer {
  text: string
  /** The fingerprint of the user's message before it. */
  words?: string
}

/** What a history says that the assistant has answered, and to what. */
export function findAnswers(given: readonly GivenMessage[], prints: Fingerprints): GivenAnswer[] {
  let words: string | undefined
  return given.flatMap((one) => {
    if (one.role === 'user') words = prints.get(one)
    const text = one.role === 'assistant' ? wordsOf(one.content) : ''
    return text === '' ? [] : [{ text, words }]
  })
}

async function fingerprint(content: unknown): Promise<string | undefined> {
  const text = wordsOf(Array.isArray(content) ? withQuotedTexts(content) : content)
  const own = ownWords(afterBlocks(text)) || ownWords(text)
  return own === '' ? undefined : (await sha256(own)).slice(0, fingerprintLength)
}

/** Front ends put documents, and what to do with them, before the words, but only into the newest message. */
function afterBlocks(text: string): string {
  const [last] = [...text.matchAll(/<\/[\w-]+>[ \t]*\n/g)].slice(-1)
  return last ? text.slice(last.index + last[0].length) : text
}

function ownWords(text: string): string {
  return splitQuoted(text).own.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
}
