import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchFolders } from '../../../local/functions/watch-folders.ts'

let directory: string
let heard: Set<string>
let watching: { close(): void }

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askback-test-'))
  mkdirSync(join(directory, 'a/b'), { recursive: true })
  writeFileSync(join(directory, 'a/b/x.ts'), '0')
  heard = new Set()
  watching = watchFolders([directory], (paths) => {
    for (const path of paths) heard.add(path)
  })
})
afterEach(() => {
  watching.close()
  rmSync(directory, { recursive: true, force: true })
})

const write = (path: string, text: string) => writeFileSync(join(directory, path), text)
const move = (from: string, to: string) => renameSync(join(directory, from), join(directory, to))

async function hear(path: string): Promise<void> {
  await expect.poll(() => heard.has(join(directory, path))).toBe(true)
  heard.clear()
}

it('hears of a file that is written, and of one that an editor replaces, again and again', async () => {
  write('a/b/x.ts', '1')
  await hear('a/b/x.ts')
  for (const text of ['2', '3']) {
    write('a/b/.x.ts.swp', text)
    move('a/b/.x.ts.swp', 'a/b/x.ts')
    await hear('a/b/x.ts')
    write('a/b/x.ts', `${text} again`)
    await hear('a/b/x.ts')
  }
})

it('follows folders that are made, moved, and made again after they were deleted', async () => {
  mkdirSync(join(directory, 'c/d/e'), { recursive: true })
  await hear('c')
  write('c/d/e/x.ts', '1')
  await hear('c/d/e/x.ts')
  move('c', 'f')
  await hear('f')
  write('f/d/e/x.ts', '2')
  await hear('f/d/e/x.ts')
  rmSync(join(directory, 'f'), { recursive: true })
  await hear('f')
  mkdirSync(join(directory, 'f'))
  await hear('f')
  write('f/x.ts', '3')
  await hear('f/x.ts')
})

it('does not hear of hidden files and backups', async () => {
  write('a/.x.ts.swp', '1')
  write('a/x.ts~', '1')
  mkdirSync(join(directory, '.git'))
  write('a/y.ts', '1')
  await expect.poll(() => [...heard]).toEqual([join(directory, 'a/y.ts')])
})
