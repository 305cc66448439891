import { isObject } from '../../../shared/engine/core/json-value.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { requireShallow } from '../../../shared/server/http/json-depth.ts'

/** A part of a UI message; `type` decides the rest. */
export type MessagePart = { type: string } & Record<string, unknown>

/** A message of the user as it is stored and shown again. Without an id the database makes one. */
export interface UserMessage {
  id?: string
  role: 'user'
  parts: MessagePart[]
  metadata?: Record<string, unknown>
}

/** Bytes of text in one message, as UTF-8. */
const textLimit = 1024 * 1024

/** A message of the JSON form. Throws ApiError 400 (empty) or 413 (too long). */
export function userMessageOfText(text: string, id: string | undefined): UserMessage {
  return checked({ ...(id === undefined ? {} : { id }), role: 'user', parts: [{ type: 'text', text }] })
}

/**
 * A user message as AI SDK clients send it; `content` is the older spelling of one text part. Of each part only
 * what belongs to its type is kept, so that the same message sent again compares equal.
 * Throws ApiError 400 where it is malformed or empty, 413 where its text is too long.
 */
export function userMessageOf(message: Record<string, unknown>): UserMessage {
  const { id, parts, content, metadata } = message
  const given = Array.isArray(parts)
    ? parts
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : undefined
  if (given === undefined)
    throw malformed('A user message needs "parts", such as [{ "type": "text", "text": "Hello" }].')
  return checked({
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    role: 'user',
    parts: given.flatMap(partOf),
    ...(isObject(metadata) ? { metadata } : {}),
  })
}

/** What the model reads: the text, and a line for each file, whose content it is not given. */
export function textForModel(parts: readonly MessagePart[]): string {
  const texts = parts.filter((part) => part.type === 'text').map((part) => String(part.text))
  const files = parts
    .filter((part) => part.type === 'file')
    .map((part) => {
      const name = typeof part.filename === 'string' ? part.filename : 'a file'
      return `[The user attached ${name} (${part.mediaType}). Its content cannot be read here.]`
    })
  return [...texts, ...files].filter((text) => text.trim() !== '').join('\n')
}

/** The first line of the message, at most 80 characters: the title of a conversation that begins with it. */
export function titleOf(message: UserMessage): string {
  const line =
    textForModel(message.parts)
      .trim()
      .split(/[\r\n]/)[0] ?? ''
  const characters = Array.from(line.trim())
  return characters.length > 80 ? `${characters.slice(0, 79).join('').trimEnd()}…` : characters.join('')
}

/** Parts that no user message has are left out, as unknown keys are. */
function partOf(part: unknown): MessagePart[] {
  if (!isObject(part) || typeof part.type !== 'string')
    throw malformed('Every part of a message is an object with a "type".')
  const { type } = part
  if (type === 'text') {
    if (typeof part.text !== 'string') throw malformed('The "text" of a text part is a string.')
    return [{ type, text: part.text }]
  }
  if (type === 'file') {
    if (typeof part.url !== 'string' || typeof part.mediaType !== 'string') {
      throw malformed('A file part needs "url" and "mediaType".')
    }
    const name = typeof part.filename === 'string' ? { filename: part.filename } : {}
    return [{ type, mediaType: part.mediaType, ...name, url: part.url }]
  }
  return type.startsWith('data-') ? [{ ...part, type }] : []
}

function checked(message: UserMessage): UserMessage {
  requireShallow(message)
  if ((message.id?.length ?? 0) > 200) throw malformed('A message id has at most 200 characters.')
  const bytes = message.parts
    .filter((part) => part.type === 'text')
    .reduce((sum, part) => sum + new TextEncoder().encode(String(part.text)).byteLength, 0)
  if (bytes > textLimit) {
    throw new ApiError(
      413,
      'message_too_large',
      'The message is longer than 1 MiB. Send a shorter one, or several.',
    )
  }
  if (textForModel(message.parts) === '') {
    throw new ApiError(400, 'empty_message', 'The message is empty. Write something first.')
  }
  return message
}

function malformed(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
