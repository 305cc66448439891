import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { ParameterError } from './openai-error.ts'

/** The parts of a message in OpenAI's words as those of ours: pictures and files alike are files. */
export function readParts(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    throw new ParameterError('messages', 'The "content" of a message is a text or a list of parts.')
  }
  return content.flatMap((part) => {
    if (!isObject(part)) return []
    const { image_url: image, file } = part
    if (part.type === 'image_url' && isObject(image)) return filePart(image.url, 'image/*')
    if (part.type === 'file' && isObject(file)) {
      return filePart(file.file_data, 'application/octet-stream', file.filename)
    }
    return [part]
  })
}

function filePart(url: unknown, otherType: string, filename?: unknown): unknown[] {
  if (typeof url !== 'string') return []
  const mediaType = /^data:([\w.+-]+\/[\w.+-]+)/i.exec(url)?.[1] ?? otherType
  return [{ type: 'file', mediaType, url, ...(typeof filename === 'string' ? { filename } : {}) }]
}
