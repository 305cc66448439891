import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ParameterError } from './openai-error.ts'

/** Converts the parts of an OpenAI message to ours: pictures and files are both files. */
export function readParts(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    throw new ParameterError('messages', 'The "content" of a message is a text or a list of parts.')
  }
  return content.flatMap((part) => {
    if (!isObject(part)) return []
    const file = readFilePart(part)
    return file.length > 0 || part.type === 'image_url' || part.type === 'file' ? file : [part]
  })
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
  return [{ type: 'file', mediaType, url, ...(typeof filename === 'string' ? { filename } : {}) }]
}
