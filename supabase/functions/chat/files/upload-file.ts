import { Buffer } from 'node:buffer'
import type { UploadedFile } from '../../../../shared/api/run.ts'
import { cleanFileName } from '../../../../shared/integrations/text/file-name.ts'
import type { AddFile } from '../../../../shared/server/files/add-file.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'
import type { FileFacts } from '../../../../shared/server/files/file-store.ts'
import { BodyRefused, streamBody } from '../../../../shared/server/http/read-body.ts'
import type { FileLinks } from './file-links.ts'
import { plainMediaType, signatureBytes } from './media-type.ts'
import { describeFile, tooLarge } from './posted-file.ts'

/**
 * Stores the body of a request as a file while it arrives, and signs a link to it for a message. Throws ApiError 400, 413,
 * 429 or 503.
 */
export async function uploadFile(
  request: Request,
  name: string | undefined,
  userId: string,
  { addFile, fileLinks }: { addFile: AddFile; fileLinks: FileLinks },
): Promise<UploadedFile> {
  const declared = plainMediaType(request.headers.get('content-type') ?? '')
  const store = async (chunks: AsyncIterable<Uint8Array>) => {
    const { start, whole } = await readAhead(chunks)
    return await addFile(userId, describeFile(name, declared, start), whole)
  }
  const stored = streamBody(request, fileLimits.file, store, { owner: userId })
  const { id, mediaType, filename, size } = await stored.catch((error): FileFacts => {
    const isTooLarge = error instanceof BodyRefused && error.code === 'body_too_large'
    throw isTooLarge ? tooLarge(cleanFileName(name, declared)) : error
  })
  return { id, url: await fileLinks.sign(id), mediaType, filename, size }
}

/** As much of a file's start as tells its type, and all of it. */
async function readAhead(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array()
  while (start.byteLength < signatureBytes) {
    const { done, value } = await iterator.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  async function* whole() {
    yield start
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { start, whole: whole() }
}
