import { expect, test } from 'vitest'
import { uploadFiles } from '../../../client/attached-files.ts'
import { firstEnglish } from '../../../client/labels/en-first.ts'
import { fileLimits } from '../../../shared/server/files/file-limits.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { db } = useDatabase()
const { file, message, files } = fileLimits

/** Files of these sizes, without their bytes. */
const chosen = (...sizes: number[]) => sizes.map((size) => ({ name: 'a.txt', size }) as File)

/** How many of the files the composer uploads, and how many it refuses. */
async function attach(all: File[]): Promise<[uploaded: number, refused: number]> {
  let uploaded = 0
  const refusals: string[] = []
  await uploadFiles(all, [], firstEnglish, {
    upload: async () => {
      uploaded++
      return { type: 'file', mediaType: 'text/plain', url: '' }
    },
    setUploading: () => {},
    setFiles: () => {},
    onSay: () => {},
    onProblem: (sentence) => refusals.push(sentence),
  })
  return [uploaded, refusals.length]
}

test('the composer takes files as large and as many as the server does', async () => {
  expect(await attach(chosen(file))).toEqual([1, 0])
  expect(await attach(chosen(file + 1))).toEqual([0, 1])
  expect(await attach(chosen(message / 2, message / 2))).toEqual([2, 0])
  await expect(attach(chosen(message / 2, message / 2, 1))).rejects.toThrow()
  expect(await attach(chosen(...Array(files).fill(1)))).toEqual([files, 0])
  await expect(attach(chosen(...Array(files + 1).fill(1)))).rejects.toThrow()
})

test('the database takes files as large as the server does', async () => {
  const user = await db.createUser()
  const insert = (size: number) => db.service`
    insert into files (id, user_id, filename, media_type, size, sha256, content)
    values (gen_random_uuid(), ${user}, 'a.bin', 'application/zip', ${size}, repeat('a', 64), 'x')`
  await insert(file)
  await expect(insert(file + 1)).rejects.toMatchObject({ code: '23514' })
})
