import { driveError } from './docs-error.ts'

/** The two parts of an upload with metadata (RFC 2387), as files.create takes them. */
export interface Upload {
  metadata: Record<string, unknown>
  mediaType: string
  media: string
}

/** Throws Google's 400 for a body that cannot be read. */
export function readUpload(contentType: string, body: string): Upload {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1)
  const [first, second] = parts.map(readPart)
  if (!first || !second) throw driveError(400, 'badContent', 'Malformed multipart body.')
  try {
    return { metadata: JSON.parse(first.text), mediaType: second.type, media: second.text }
  } catch {
    throw driveError(400, 'parseError', 'Parse Error')
  }
}

function readPart(part: string): { type: string; text: string } {
  const blank = part.indexOf('\r\n\r\n')
  const head = part.slice(0, blank)
  const text = blank === -1 ? '' : part.slice(blank + 4, part.lastIndexOf('\r\n'))
  const type = /^content-type:\s*([^;\r\n]+)/im.exec(head)?.[1] ?? 'application/octet-stream'
  return { type: type.trim().toLowerCase(), text }
}
