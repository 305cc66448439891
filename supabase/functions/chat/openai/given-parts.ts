import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { splitQuoted } from '../../../../shared/engine/provenance/quoted-text.ts'
import type { BadRequest } from '../../../../shared/words/refused/faults.ts'
import { ParameterError } from './openai-error.ts'

/** Converts the parts of an OpenAI message to ours: pictures and files are both files. Throws ParameterError. */
export function readParts(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    throw new ParameterError('messages', { why: 'content_unfit' })
  }
  return withQuotedTexts(content).flatMap((part) => {
    if (!isObject(part)) return []
    if (part.type === 'text') return [part]
    const file = readFilePart(part)
    if (file.length > 0) return file
    throw new ParameterError('messages', unreadable(part.type))
  })
}

/** Why a part cannot be read. It isn't left out: nobody would learn that the agent has never seen it. */
function unreadable(part: unknown): BadRequest {
  const type = String(part).slice(0, 40)
  return { why: part === 'image_url' || part === 'file' ? 'part_without_content' : 'part_unread', type }
}

/**
 * The parts of a user's message. The first text that is not all in tags is what they typed; front ends add documents and
 * histories after it, so every later text goes into a tag, which makes it a quotation.
 */
export function withQuotedTexts(content: readonly unknown[]): unknown[] {
  const isOwn = (part: unknown) => splitQuoted(textOf(part) ?? '').own.trim() !== ''
  const first = content.findIndex(isOwn)
  return content.map((part, index) =>
    index > first && first >= 0 && isObject(part) && isOwn(part)
      ? { ...part, text: `<part>\n${part.text}\n</part>` }
      : part,
  )
}

function textOf(part: unknown): string | undefined {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined
}

/** The pictures and files of a message, as parts of ours. */
export function filesOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content.flatMap(readFilePart) : []
}

/** The picture or file of a part, as a part of ours; empty for any other part, or one without content. */
function readFilePart(part: unknown): unknown[] {
  const { type, image_url: image, file } = isObject(part) ? part : {}
  if (type === 'image_url' && isObject(image)) return filePart(image.url, 'image/*')
  if (type === 'file' && isObject(file)) {
    return filePart(file.file_data, 'application/octet-stream', file.filename)
  }
  return []
}

function filePart(url: unknown, otherType: string, filename?: unknown): unknown[] {
  if (typeof url !== 'string') return []
  const mediaType = /^data:([\w.+-]+\/[\w.+-]+)/i.exec(url)?.[1] ?? otherType
  return [{ type: 'file', mediaType, url, filename: typeof filename === 'string' ? filename : undefined }]
}
