import { z } from 'zod'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { Call, Entry, FilePart, UserMessage } from '../../../../shared/engine/transcript/entry.ts'

/** An entry in two parts: what its owner may read, and what no client may see. */
export interface StoredEntry {
  entry: Entry
  private?: PrivatePart
}

/** `urls`: of files, by their place in the content. `extraContent`: of a call. */
interface PrivatePart {
  urls?: Record<string, string>
  extraContent?: unknown
}

/** An entry as the database hands it out. */
export const entrySchema = z.custom<Entry>((value) => isObject(value) && typeof value.type === 'string')

/** A whole entry out of its two parts. */
export const storedEntrySchema = z
  .object({ entry: entrySchema, private: z.custom<PrivatePart>(isObject).nullable() })
  .transform(({ entry, private: hidden }) => joinEntry(entry, hidden ?? {}))

/**
 * Takes apart an entry that is to be stored. Bytes of files and what a provider keeps in a call become private; the
 * agent is left out, because every run brings its own.
 */
export function splitEntry(entry: Entry): StoredEntry {
  switch (entry.type) {
    case 'user-message':
      return splitMessage(entry)
    case 'call': {
      const { extraContent, ...rest } = entry
      return extraContent === undefined ? { entry } : { entry: rest, private: { extraContent } }
    }
    case 'run-start': {
      const { agent: _, ...rest } = entry
      return { entry: rest }
    }
    default:
      return { entry }
  }
}

function splitMessage(entry: UserMessage): StoredEntry {
  if (typeof entry.content === 'string') return { entry }
  const urls: Record<string, string> = {}
  const content = entry.content.map((part, index) => {
    if (!isFileWithBytes(part)) return part
    const url = `data:${part.mediaType},`
    if (url === part.url) return part
    urls[index] = part.url
    return { ...part, url }
  })
  return Object.keys(urls).length === 0 ? { entry } : { entry: { ...entry, content }, private: { urls } }
}

function joinEntry(entry: Entry, { urls, extraContent }: PrivatePart): Entry {
  if (entry.type === 'call' && extraContent !== undefined) return { ...entry, extraContent } satisfies Call
  if (entry.type !== 'user-message' || !urls || typeof entry.content === 'string') return entry
  const content = entry.content.map((part, index) =>
    part.type === 'file' && 'url' in part ? { ...part, url: urls[index] ?? part.url } : part,
  )
  return { ...entry, content } as UserMessage
}

function isFileWithBytes(part: unknown): part is FilePart {
  // As browsers read it: the scheme in any case, blanks before it.
  return isObject(part) && part.type === 'file' && typeof part.url === 'string' && /^\s*data:/i.test(part.url)
}
