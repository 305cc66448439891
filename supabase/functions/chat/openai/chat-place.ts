import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { splitQuoted } from '../../../../shared/engine/provenance/quoted-text.ts'
import type { ChatPlace } from '../request/user-message.ts'
import { withQuotedTexts } from './given-parts.ts'
import { wordsOf } from './typed-words.ts'

/** The newest user messages of a history that are looked at. */
const mostMessages = 1000
/** Characters of a fingerprint, in hex: enough to tell one user's messages apart. */
const fingerprintLength = 24

/**
 * Where a message stands in its chat, by what its user typed in it and before it, quotations aside: front ends change the
 * rest from request to request. `contents`: of the user's messages, oldest first, with the new one.
 */
export async function findPlace(contents: readonly unknown[]): Promise<ChatPlace> {
  const prints = await Promise.all(contents.slice(-mostMessages).map(fingerprint))
  const words = prints.pop()
  return {
    ...(words === undefined ? {} : { words }),
    wordsBefore: prints.filter((print) => print !== undefined),
  }
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
