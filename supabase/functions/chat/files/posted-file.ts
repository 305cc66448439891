import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import type { FilePart } from '../../../../shared/engine/transcript/entry.ts'
import { cleanFileName } from '../../../../shared/integrations/text/file-name.ts'
import { makeFileId } from '../../../../shared/server/files/file-id.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'
import type { NewFile } from '../../../../shared/server/files/file-store.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { readDataUrl } from './data-url.ts'
import { plainMediaType, trueMediaType } from './media-type.ts'

const mib = 1024 * 1024

/** Reads a file from a message part, ready to be stored. Throws ApiError 400 or 413 with what is wrong. */
export async function readPostedFile(part: FilePart, userId: string): Promise<NewFile> {
  const { url = '' } = part
  const declared = plainMediaType(part.mediaType)
  const file = cleanFileName(part.filename, declared)
  // Base64 uses four characters for three bytes: a file that is far too large is not decoded.
  if (url.length > fileLimits.file * 3.1) throw tooLarge(file)
  const data = readDataUrl(url)
  if (!data) throw new ApiError('unreadable_file', { why: 'content', file })
  const { bytes } = data
  if (bytes.byteLength > fileLimits.file) throw tooLarge(file)
  const facts = describeFile(part.filename, declared, bytes)
  const hash = await sha256(bytes)
  const id = await makeFileId(userId, { ...facts, sha256: hash })
  return { id, ...facts, size: bytes.byteLength, sha256: hash, bytes }
}

/** The name and type of a file that starts with these bytes. Throws ApiError 400 if it is empty, or not what it is declared. */
export function describeFile(
  name: string | undefined,
  declared: string,
  start: Uint8Array,
): { filename: string; mediaType: string } {
  const file = cleanFileName(name, declared)
  if (start.byteLength === 0) throw new ApiError('empty_file', { file })
  const mediaType = trueMediaType(declared, start)
  if (mediaType === undefined) throw new ApiError('wrong_media_type', { file, declared })
  return { filename: cleanFileName(name, mediaType), mediaType }
}

/** Throws ApiError 413 if one message has more files than may be attached. */
export function requireFewFiles(sizes: readonly number[]): void {
  if (sizes.length > fileLimits.files) {
    throw new ApiError('too_many_files', { most: fileLimits.files, count: sizes.length })
  }
  if (sizes.reduce((sum, size) => sum + size, 0) > fileLimits.message) {
    throw new ApiError('files_too_large', { mebibytes: fileLimits.message / mib })
  }
}

/** `file`: its name. */
export function tooLarge(file: string): ApiError {
  return new ApiError('file_too_large', { file, mebibytes: fileLimits.file / mib })
}
