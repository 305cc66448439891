import type { CallToolResult } from '../protocol/sdk.ts'

/**
 * What a model reads of a result: once, as the server has structured it, or else its texts; whole if the tool says that it
 * failed. Of a file it reads what it is, not its bytes.
 */
export function unwrapResult(result: CallToolResult): unknown {
  const { isError, structuredContent, content = [] } = result
  if (isError) return { isError, content: content.map(describePart) }
  if (structuredContent !== undefined) return structuredContent
  const parts = content.map(describePart)
  if (parts.every(isText)) return parts.map(({ text }) => text).join('\n')
  return parts
}

type Part = CallToolResult['content'][number]

function isText(part: unknown): part is { text: string } {
  return (part as { type?: string }).type === 'text'
}

function describePart(part: Part): unknown {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
    case 'audio':
      return { type: part.type, mimeType: part.mimeType, ...sizeOf(part.data) }
    case 'resource': {
      const { uri, mimeType, ...held } = part.resource
      const kept = 'text' in held ? { text: held.text } : sizeOf(held.blob)
      return { type: 'resource', uri, mimeType, ...kept }
    }
    default:
      return { type: part.type, uri: part.uri, name: part.name, description: part.description }
  }
}

/** Of base64. */
function sizeOf(data: string): { bytes: number } {
  return { bytes: Math.floor((data.length * 3) / 4) }
}
