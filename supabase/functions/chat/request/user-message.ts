import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { briefEntry } from '../../../../shared/engine/transcript/brief-entry.ts'
import type { Entry, FilePart, UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../../shared/server/http/json-depth.ts'

/** A user message as it is stored. Without an id the database makes one. */
export interface PostedMessage {
  id?: string
  entry: UserMessage & { content: readonly PostedPart[] }
  /** What later turns read instead of a long one. */
  brief?: Entry
  /** The client's own, returned unchanged. */
  metadata?: Record<string, unknown>
  /** In a chat that an OpenAI client names: where the message stands in it. */
  place?: ChatPlace
}

/** Fingerprints of what a user typed in a message, and in each one that the client's history has before it. */
export interface ChatPlace {
  /** Absent if the message is all quotations. */
  words?: string
  /** Oldest first. */
  wordsBefore: string[]
}

/** The parts of a message that clients send. */
export type PostedPart =
  | { type: 'text'; text: string }
  | FilePart
  | ({ type: `data-${string}` } & Record<string, unknown>)

/** Bytes of text in one message, as UTF-8. */
const textLimit = 1024 * 1024

/** Makes a message from the text of the JSON form. Throws ApiError 400 (empty) or 413 (too long). */
export function readText(text: string, id: string | undefined): PostedMessage {
  return check({ ...(id === undefined ? {} : { id }), ...makeEntry([{ type: 'text', text }]) })
}

/**
 * Reads a user message as AI SDK clients send it; `content` is the older form of a single text part. Only the members
 * that belong to a part's type are kept, so that the same message sent again compares equal.
 * Throws ApiError 400 if it is malformed or empty, 413 if its text is too long.
 */
export function readUserMessage(message: Record<string, unknown>): PostedMessage {
  const { id, parts, content, metadata } = message
  const given = Array.isArray(parts)
    ? parts
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : undefined
  if (given === undefined) throw malformed('parts_missing')
  return check({
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...makeEntry(given.flatMap(readPart)),
    ...(isObject(metadata) ? { metadata } : {}),
  })
}

/** A message as it is stored, with its brief if it is long. */
export function withBrief(message: PostedMessage): PostedMessage {
  const brief = briefEntry(message.entry, () => undefined)
  return brief ? { ...message, brief } : message
}

/**
 * The title of a conversation that starts with this message: its first line, at most 80 characters, or the name of
 * its first file.
 */
export function makeTitle({ entry }: PostedMessage): string {
  const texts = entry.content.map((part) => (part.type === 'text' ? String(part.text) : ''))
  const file = entry.content.find((part) => part.type === 'file')
  const line =
    texts
      .join('\n')
      .trim()
      .split(/[\r\n]/)[0] || String(file?.filename ?? 'A file')
  const characters = Array.from(line.trim())
  return characters.length > 80 ? `${characters.slice(0, 79).join('').trimEnd()}…` : characters.join('')
}

function makeEntry(content: PostedPart[]): Pick<PostedMessage, 'entry'> {
  return { entry: { type: 'user-message', content } }
}

/** Parts that user messages cannot have are left out, like unknown keys. */
function readPart(part: unknown): PostedPart[] {
  if (!isObject(part) || typeof part.type !== 'string') throw malformed('part_without_type')
  const { type } = part
  if (type === 'text') {
    if (typeof part.text !== 'string') throw malformed('part_without_text')
    return [{ type, text: part.text }]
  }
  if (type === 'file') {
    if (typeof part.url !== 'string' || typeof part.mediaType !== 'string') {
      throw malformed('part_without_url')
    }
    const name = typeof part.filename === 'string' ? { filename: part.filename } : {}
    return [{ type, mediaType: part.mediaType, ...name, url: part.url }]
  }
  return isDataType(type) ? [{ ...part, type }] : []
}

function isDataType(type: string): type is `data-${string}` {
  return type.startsWith('data-')
}

function check(message: PostedMessage): PostedMessage {
  requireShallow(message)
  if ((message.id?.length ?? 0) > 200) throw malformed('message_id_too_long')
  const { content } = message.entry
  const text = content.map((part) => (part.type === 'text' ? String(part.text) : '')).join('')
  const bytes = new TextEncoder().encode(text).byteLength
  if (bytes > textLimit) throw new ApiError('message_too_large')
  if (text.trim() === '' && !content.some((part) => part.type === 'file')) {
    throw new ApiError('empty_message')
  }
  return message
}

type Why =
  | 'parts_missing'
  | 'part_without_type'
  | 'part_without_text'
  | 'part_without_url'
  | 'message_id_too_long'

function malformed(why: Why): ApiError {
  return new ApiError('bad_request', { why })
}
