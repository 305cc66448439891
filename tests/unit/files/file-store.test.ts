import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AddFile, createAddFile } from '../../../shared/server/files/add-file.ts'
import { makeFileId } from '../../../shared/server/files/file-id.ts'
import { createFileStore, type FileStore, type NewFile } from '../../../shared/server/files/file-store.ts'
import { createBucket } from '../../../shared/server/files/storage-bucket.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { createDatabaseRpc, createDatabaseRpcStream } from '../../../support/database-rpc.ts'
import { type StorageServer, startStorageServer } from '../../../support/storage-server.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
const serviceKey = 'sb_secret_of_a_test'
let storage: StorageServer
let files: FileStore
let addFile: AddFile
let user: string

beforeAll(async () => {
  storage = await startStorageServer(serviceKey)
  const rpc = createDatabaseRpc(db)
  const bucket = createBucket({ url: storage.url, serviceKey })
  files = createFileStore(rpc, bucket)
  addFile = createAddFile(rpc, createDatabaseRpcStream(db), bucket)
})
afterAll(() => storage?.close())
beforeEach(async () => {
  user = await db.createUser()
  storage.objects.clear()
  storage.requests.length = 0
})

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const zip = { filename: 'a.bin', mediaType: 'application/zip' }

async function newFile(bytes: Uint8Array<ArrayBuffer>): Promise<NewFile> {
  const facts = { ...zip, sha256: sha256Of(bytes) }
  return { id: await makeFileId(user, facts), ...facts, size: bytes.length, bytes }
}

async function save(userId: string, ...given: NewFile[]): Promise<void> {
  for (const file of given) await addFile(userId, file, arriving(file.bytes))
}

/** Bytes as they arrive: in pieces of odd sizes. */
async function* arriving(bytes: Uint8Array, pieces = [1, 16, 4001]) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = pieces[turn % pieces.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}
/** Every byte there is, and more than one chunk of base64. */
const everyByte = new Uint8Array(70_000).map((_, index) => index % 251)

describe.each([
  ['in PostgreSQL, where there is no Storage', false],
  ['in Storage', true],
])('bytes %s', (_, inStorage) => {
  beforeAll(async () => {
    if (!inStorage) return
    await database.sql`create schema storage`
    await database.sql`create table storage.buckets (id text primary key, name text, public boolean, file_size_limit bigint)`
  })

  test('come back as they went', async () => {
    const file = await newFile(everyByte)
    await save(user, file)
    const read = await files.read(user, file.id)
    expect(read).toMatchObject({ id: file.id, filename: 'a.bin', mediaType: 'application/zip', size: 70_000 })
    expect(Buffer.compare(read?.bytes ?? new Uint8Array(), everyByte)).toBe(0)
    expect(await files.readBase64(user, file.id)).toBe(Buffer.from(everyByte).toString('base64'))
    expect(Buffer.compare((await files.readLinked(file.id))?.bytes ?? new Uint8Array(), everyByte)).toBe(0)
    expect(storage.objects.size).toBe(inStorage ? 1 : 0)
  })

  test('belong to one user, and nothing is asked for by a name that is not an id', async () => {
    const file = await newFile(everyByte)
    await save(user, file)
    expect(await files.read(await db.createUser(), file.id)).toBeUndefined()
    for (const id of [randomUUID(), 'x', "' or true --", `${file.id}/..`, '']) {
      expect(await files.read(user, id)).toBeUndefined()
      expect(await files.readLinked(id)).toBeUndefined()
    }
  })

  test('are refused where a user has too much already', async () => {
    await db.service`
      insert into files (id, user_id, filename, media_type, size, sha256, content)
      select gen_random_uuid(), ${user}, 'old.bin', 'application/zip', 5242880, lpad(n::text, 64, '0'), 'x'
      from generate_series(1, 99) n`
    await db.service`
      insert into files (id, user_id, filename, media_type, size, sha256, content)
      values (gen_random_uuid(), ${user}, 'old.bin', 'application/zip', 5142880, repeat('a', 64), 'x')`
    const [first, second] = [await newFile(everyByte), await newFile(everyByte.slice(1))]
    await save(user, first)
    await expect(save(user, second)).rejects.toMatchObject({
      status: 413,
      code: 'too_much_stored',
      message: expect.stringMatching(/500 MiB that you have here\. Delete conversations/),
    })
    expect([...(await files.find(user, [first.id, second.id])).keys()]).toEqual([first.id])
    expect(storage.objects.size).toBe(inStorage ? 1 : 0)
  })

  test('are stored while they arrive, under an id of their own', async () => {
    const sent = () => addFile(user, zip, arriving(everyByte))
    const added = await sent()
    expect(added).toMatchObject({ ...zip, size: 70_000, sha256: sha256Of(everyByte) })
    expect(Buffer.compare((await files.read(user, added.id))?.bytes ?? new Uint8Array(), everyByte)).toBe(0)
    expect(await Promise.all([sent(), sent()])).toEqual([added, added])
    const other = await addFile(user, { ...zip, filename: 'b.bin' }, arriving(everyByte))
    expect(other.id).not.toBe(added.id)
    expect(storage.objects.size).toBe(inStorage ? 2 : 0)
  })

  test('that stop arriving leave nothing behind', async () => {
    async function* broken() {
      yield everyByte
      throw new ApiError('body_incomplete')
    }
    await expect(addFile(user, zip, broken())).rejects.toMatchObject({ code: 'body_incomplete' })
    const [row] = await db.service`select count(*)::int as files from files where user_id = ${user}`
    expect(row?.files).toBe(0)
    expect(storage.objects.size).toBe(0)
  })

  test('are stored once, also by two at once', async () => {
    const file = await newFile(everyByte)
    await Promise.all([save(user, file), save(user, file)])
    await save(user, file)
    expect((await files.read(user, file.id))?.bytes).toHaveLength(70_000)
    expect(storage.objects.size).toBe(inStorage ? 1 : 0)
    const [row] = await db.service`select count(*)::int as files from files where user_id = ${user}`
    expect(row?.files).toBe(1)
  })
})

describe('Storage', () => {
  test('that is away is said, and nothing is stored half', async () => {
    const file = await newFile(everyByte)
    storage.break(true)
    await expect(save(user, file)).rejects.toMatchObject({
      status: 503,
      message: 'The storage for files cannot be reached. Try again in a minute.',
    })
    storage.break(false)
    expect(await files.read(user, file.id)).toBeUndefined()
    await save(user, file)
    expect((await files.read(user, file.id))?.bytes).toHaveLength(70_000)
  })

  test('loses what a deleted file has left, as soon as somebody sweeps', async () => {
    const [first, second] = [await newFile(everyByte), await newFile(everyByte.slice(0, 10))]
    await save(user, first, second)
    await db.service`delete from files where id = ${first.id}`
    storage.break(true)
    await expect(files.sweep(user)).rejects.toMatchObject({ status: 503 })
    storage.break(false)
    expect(storage.objects.size).toBe(2)
    await files.sweep(user)
    expect(storage.objects.size).toBe(1)
    expect(await files.read(user, first.id)).toBeUndefined()
    expect((await files.read(user, second.id))?.bytes).toHaveLength(10)
  })

  test('keeps nothing of a user who is removed, and everything of the others', async () => {
    const other = await db.createUser()
    await save(other, await newFile(everyByte.slice(1)))
    for (let size = 1; size <= 120; size++) {
      storage.objects.set(`${user}/${size}`, everyByte.slice(0, size))
    }
    await files.removeUser(user)
    expect([...storage.objects.keys()].map((name) => name.split('/')[0])).toEqual([other])
    await files.removeUser(user)
  })

  test('is told nothing by a wrong key, and that is said like any other outage', async () => {
    const bucket = createBucket({ url: storage.url, serviceKey: 'another' })
    const wrong = createAddFile(createDatabaseRpc(db), createDatabaseRpcStream(db), bucket)
    await expect(wrong(user, zip, arriving(everyByte))).rejects.toMatchObject({ status: 503 })
    expect(storage.objects.size).toBe(0)
  })
})
