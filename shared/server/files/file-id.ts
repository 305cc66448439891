import { sha256 } from '../../engine/core/sha256.ts'

/** The id of a file: a UUID of version 8 (RFC 9562), the same for the same facts. */
export async function makeFileId(
  userId: string,
  { filename, mediaType, sha256: hash }: { filename: string; mediaType: string; sha256: string },
): Promise<string> {
  const hex = await sha256(JSON.stringify([userId, filename, mediaType, hash]))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
