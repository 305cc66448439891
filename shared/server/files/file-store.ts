import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'
import { writeLog } from '../log/log-line.ts'
import { fileLimits } from './file-limits.ts'
import type { Bucket } from './storage-bucket.ts'

/** The facts about a stored file, without its bytes. */
export interface FileFacts {
  /** A UUID derived from the user, the name, the type and the bytes. */
  id: string
  filename: string
  mediaType: string
  /** Bytes. */
  size: number
}

export interface NewFile extends FileFacts {
  /** SHA-256 in lower-case hex. */
  sha256: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A file with what was read from it. */
export interface KnownFile extends FileFacts {
  /** The value passed to `keepReading`; null until then. */
  reading: unknown
}

export interface StoredFile extends FileFacts {
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * The files of users. Their bytes are in Storage if the project has it, else in PostgreSQL. Everything is limited to the
 * files of one user: other users' files do not exist. Rejects with ApiError 503 if database or Storage is unavailable.
 */
export interface FileStore {
  /** The stored ones, by id. */
  find(userId: string, ids: readonly string[]): Promise<Map<string, KnownFile>>
  /**
   * Stores the files that are not stored yet; each file once, even if two requests store it concurrently. Throws ApiError,
   * and stores none, if the user has too much already (413), too many (403) or stores too many at once (429).
   */
  save(userId: string, files: readonly NewFile[]): Promise<void>
  /** Undefined if the user has no such file. */
  read(userId: string, id: string): Promise<StoredFile | undefined>
  /** The file of a verified link, whoever owns it. */
  readLinked(id: string): Promise<StoredFile | undefined>
  keepReading(userId: string, id: string, reading: unknown): Promise<void>
  /** Removes what is left of deleted files, and files of this user whose request was never completed. */
  sweep(userId: string | null): Promise<void>
  /** Removes all bytes of a user from Storage, before or after the user is deleted; the rows go with the user. */
  removeUser(userId: string): Promise<void>
}

const factsSchema = z.object({
  id: z.string(),
  filename: z.string(),
  mediaType: z.string(),
  size: z.number(),
})
const foundSchema = z.object({
  inStorage: z.boolean(),
  files: z.array(factsSchema.extend({ reading: z.unknown() })),
})
const storedWhereSchema = z.enum(['stored', 'elsewhere', 'full', 'too_many', 'too_fast'])
const storedSchema = factsSchema
  .extend({ content: z.string().nullable(), object: z.string().nullable() })
  .nullable()

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** An id that no file has. */
const noFile = '00000000-0000-0000-0000-000000000000'
const notRead = 'so the file cannot be read. Try again in a minute.'
const notStored = 'so your message is not stored yet. Send it again in a minute.'

export function createFileStore(rpc: CallRpc, bucket: Bucket): FileStore {
  const find = async (userId: string, ids: readonly string[], consequence = notRead) => {
    const asked = rpc('find_files', { p_user_id: userId, p_ids: ids })
    const { inStorage, files } = await askDatabase(asked, foundSchema, consequence)
    return { inStorage, files: new Map(files.map((file) => [file.id, file as KnownFile])) }
  }
  const open = async (asked: Promise<unknown>): Promise<StoredFile | undefined> => {
    const stored = await askDatabase(asked, storedSchema, notRead)
    if (!stored) return undefined
    const { object, content, ...facts } = stored
    if (object === null) return { ...facts, bytes: new Uint8Array(Buffer.from(content ?? '', 'base64')) }
    const bytes = await bucket.read(object)
    return bytes && { ...facts, bytes }
  }

  const discard = async (objects: readonly string[]) => {
    if (objects.length === 0) return
    await bucket.remove(objects)
    await askDatabase(rpc('forget_objects', { p_objects: objects }), z.unknown(), 'so this is done again.')
  }

  return {
    find: async (userId, ids) => (ids.length === 0 ? new Map() : (await find(userId, ids)).files),

    async save(userId, files) {
      if (files.length === 0) return
      const ids = files.map(({ id }) => id)
      const { inStorage, files: known } = await find(userId, ids, notStored)
      const fresh = files.filter(({ id }) => !known.has(id))
      for (const { bytes, ...file } of fresh) {
        // A new name: a late removal can then never delete a file that was stored again in the meantime.
        const object = inStorage ? `${userId}/${crypto.randomUUID()}` : undefined
        if (object) await bucket.save(object, bytes, file.mediaType)
        const p_file = { ...file, ...(object ? { object } : {}) }
        const p_content = object
          ? null
          : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
        const asked = rpc('store_file', { p_user_id: userId, p_file, p_limit: fileLimits.user, p_content })
        const outcome = await askDatabase(asked, storedWhereSchema, notStored)
        // Somebody else was faster, or there is no room.
        if (object && outcome !== 'stored') await bucket.remove([object])
        if (outcome === 'stored' || outcome === 'elsewhere') continue
        const p_ids = fresh.map(({ id }) => id)
        await askDatabase(rpc('drop_files', { p_user_id: userId, p_ids }), z.unknown(), notStored)
        throw refusedFile[outcome]()
      }
    },

    read: async (userId, id) =>
      uuid.test(id) ? await open(rpc('read_file', { p_user_id: userId, p_file_id: id })) : undefined,

    readLinked: async (id) =>
      uuid.test(id) ? await open(rpc('read_linked_file', { p_file_id: id })) : undefined,

    async keepReading(userId, id, reading) {
      const args = { p_user_id: userId, p_file_id: id, p_reading: reading }
      await askDatabase(rpc('keep_file_reading', args), z.unknown(), notRead)
    },

    async sweep(userId) {
      const asked = rpc('sweep_files', { p_user_id: userId })
      const objects = await askDatabase(asked, z.array(z.string()), 'so old files are not removed yet.')
      await discard(objects)
    },

    async removeUser(userId) {
      const { inStorage } = await find(userId, [noFile])
      if (!inStorage) return
      await discard(await bucket.list(userId))
    },
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
      },
    ),
}

/** Sweeps alongside other work: errors are logged, and the next sweep tries again. */
export async function sweepQuietly(files: FileStore, userId: string | null): Promise<void> {
  await files.sweep(userId).catch((error) => writeLog('files-not-swept', {}, error))
}
