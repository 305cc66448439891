import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each database takes 50 MB, and some of them are there at once. */
const neededBytes = 2 ** 31

/**
 * Set-up of vitest: gives all tests one folder for their files, and removes it with whatever they have left there. In
 * memory, where Linux has room for it: a database has a thousand files, and making them on a disk takes most of the
 * time that a test waits for it.
 */
export default function makeTestFolder(): () => void {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'askback-tests-'))
  process.env.TMPDIR = folder
  process.env.ASKBACK_TEST_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
