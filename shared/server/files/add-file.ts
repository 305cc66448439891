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
const notStored = 'so the file is not stored yet. Send it again in a minute.'

export function createAddFile(rpc: CallRpc, streamToRpc: StreamToRpc, bucket: Bucket): AddFile {
  const findPlace = async (userId: string) => {
    const asked = rpc('find_files', { p_user_id: userId, p_ids: [noFile] })
    const { inStorage } = await askDatabase(asked, foundSchema, notStored)
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
    const outcome = await askDatabase(store(), storedWhereSchema, notStored).catch((error) => {
      throw content.failure ?? error
    })
    if (object && outcome !== 'stored') await bucket.remove([object])
    if (outcome !== 'stored' && outcome !== 'elsewhere') throw refusedFile[outcome]()
    return await describe()
  }
}

function tooMuchStored(): ApiError {
  const limit = fileLimits.user / 1024 / 1024
  const sentence = `Your files would take more than the ${limit} MiB that you have here. Delete conversations whose files you no longer need, then send this again.`
  return new ApiError('too_much_stored', sentence)
}

const refusedFile = {
  full: tooMuchStored,
  too_many: () =>
    new ApiError(
      'limit_reached',
      'You keep as many files as you may. Delete conversations whose files you no longer need, then send this again.',
    ),
  too_fast: () =>
    new ApiError(
      'rate_limited',
      'That’s too many files in one minute. Wait a minute, then send this again.',
      {
        retryAfterSeconds: 60,
        isOfWindow: true,
      },
    ),
}
