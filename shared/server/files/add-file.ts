import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc, StreamToRpc } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'
import { streamOf } from '../http/stream-of.ts'
import { makeFileId } from './file-id.ts'
import { fileLimits } from './file-limits.ts'
import { type FileFacts, foundSchema, noFile } from './file-store.ts'
import { inBase64, ReadFile } from './read-file.ts'
import type { Bucket } from './storage-bucket.ts'

/**
 * Stores a file of a user while it arrives; one that is stored already stays for another day. Throws ApiError 413 if the
 * user has too much already, 403 too many, 429 if they store too many at once, 503 if database or Storage is unavailable, and whatever `chunks` throws.
 */
export type AddFile = (
  userId: string,
  file: Pick<FileFacts, 'filename' | 'mediaType'>,
  chunks: AsyncIterable<Uint8Array>,
) => Promise<FileFacts>

const storedWhereSchema = z.enum(['stored', 'elsewhere', 'full', 'too_many', 'too_fast'])

export function createAddFile(rpc: CallRpc, streamToRpc: StreamToRpc, bucket: Bucket): AddFile {
  const findPlace = async (userId: string) => {
    const asked = rpc('find_files', { p_user_id: userId, p_ids: [noFile] })
    const { inStorage } = await askDatabase(asked, foundSchema, 'file_not_stored')
    return inStorage ? `${userId}/${crypto.randomUUID()}` : undefined
  }

  return async (userId, { filename, mediaType }, chunks) => {
    const object = await findPlace(userId)
    const content = new ReadFile(chunks)
    const describe = async () => {
      const facts = { filename, mediaType, size: content.size, sha256: content.sha256() }
      return { id: await makeFileId(userId, facts), ...facts }
    }
    const rest = async () => {
      const file = await describe()
      return { p_user_id: userId, p_file: object ? { ...file, object } : file, p_limit: fileLimits.user }
    }
    const store = async () => {
      if (!object) return await streamToRpc('store_file', 'p_content', inBase64(content.bytes()), rest)
      await bucket.save(object, streamOf(content.bytes()), mediaType)
      return await rpc('store_file', { ...(await rest()), p_content: null })
    }
    const outcome = await askDatabase(store(), storedWhereSchema, 'file_not_stored').catch((error) => {
      throw content.failure ?? error
    })
    if (object && outcome !== 'stored') await bucket.remove([object])
    if (outcome !== 'stored' && outcome !== 'elsewhere') throw refusedFile[outcome]()
    return await describe()
  }
}

const refusedFile = {
  full: () => new ApiError('too_much_stored', { mebibytes: fileLimits.user / 1024 / 1024 }),
  too_many: () => new ApiError('limit_reached', { why: 'files' }),
  too_fast: () => new ApiError('rate_limited', { why: 'files' }, { retryAfterSeconds: 60, isOfWindow: true }),
}
