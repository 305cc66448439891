import { Buffer } from 'node:buffer'
import { z } from 'zod'
import type { Consequence } from '../../words/refused/consequences.ts'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { writeLog } from '../log/log-line.ts'
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
  /** Undefined if the user has no such file. */
  read(userId: string, id: string): Promise<StoredFile | undefined>
  /** The same in base64, which takes less memory than its bytes and their base64. */
  readBase64(userId: string, id: string): Promise<string | undefined>
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
export const foundSchema = z.object({
  inStorage: z.boolean(),
  files: z.array(factsSchema.extend({ reading: z.unknown() })),
})
const storedSchema = factsSchema
  .extend({ content: z.string().nullable(), object: z.string().nullable() })
  .nullable()

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** An id that no file has. */
export const noFile = '00000000-0000-0000-0000-000000000000'

export function createFileStore(rpc: CallRpc, bucket: Bucket): FileStore {
  const find = async (userId: string, ids: readonly string[], so: Consequence = 'file_not_read') => {
    const asked = rpc('find_files', { p_user_id: userId, p_ids: ids })
    const { inStorage, files } = await askDatabase(asked, foundSchema, so)
    return { inStorage, files: new Map(files.map((file) => [file.id, file as KnownFile])) }
  }
  const ask = async (userId: string, id: string) =>
    uuid.test(id)
      ? await askDatabase(
          rpc('read_file', { p_user_id: userId, p_file_id: id }),
          storedSchema,
          'file_not_read',
        )
      : null
  const open = async (stored: z.output<typeof storedSchema>): Promise<StoredFile | undefined> => {
    if (!stored) return undefined
    const { object, content, ...facts } = stored
    if (object === null) return { ...facts, bytes: fromBase64(content ?? '') }
    const bytes = await bucket.read(object)
    return bytes && { ...facts, bytes }
  }

  const discard = async (objects: readonly string[]) => {
    if (objects.length === 0) return
    await bucket.remove(objects)
    await askDatabase(rpc('forget_objects', { p_objects: objects }), z.unknown())
  }

  return {
    find: async (userId, ids) => (ids.length === 0 ? new Map() : (await find(userId, ids)).files),

    read: async (userId, id) => await open(await ask(userId, id)),

    async readBase64(userId, id) {
      const stored = await ask(userId, id)
      if (stored?.object === null) return stored.content ?? ''
      const { buffer, byteOffset, byteLength } = (await open(stored))?.bytes ?? {}
      return buffer && Buffer.from(buffer, byteOffset, byteLength).toString('base64')
    },

    async readLinked(id) {
      if (!uuid.test(id)) return undefined
      return await open(
        await askDatabase(rpc('read_linked_file', { p_file_id: id }), storedSchema, 'file_not_read'),
      )
    },

    async keepReading(userId, id, reading) {
      const args = { p_user_id: userId, p_file_id: id, p_reading: reading ?? null }
      await askDatabase(rpc('keep_file_reading', args), z.unknown(), 'file_not_read')
    },

    async sweep(userId) {
      const asked = rpc('sweep_files', { p_user_id: userId })
      const objects = await askDatabase(asked, z.array(z.string()))
      await discard(objects)
    },

    async removeUser(userId) {
      const { inStorage } = await find(userId, [noFile])
      if (!inStorage) return
      await discard(await bucket.list(userId))
    },
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // The same memory: a large file is not copied.
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64')
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Sweeps alongside other work: errors are logged, and the next sweep tries again. */
export async function sweepQuietly(files: FileStore, userId: string | null): Promise<void> {
  await files.sweep(userId).catch((error) => writeLog('files-not-swept', {}, error))
}
