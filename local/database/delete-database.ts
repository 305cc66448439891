import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endOrphan } from './orphan.ts'

/** Deletes the embedded PostgreSQL's data, wherever they are, and a server that was left running on them. */
export async function deleteDatabase(dataDirectory: string): Promise<void> {
  const directory = join(dataDirectory, 'postgres')
  if (!existsSync(directory)) return
  await endOrphan(directory)
  rmSync(realpathSync(directory), { recursive: true, force: true })
  rmSync(directory, { force: true })
}
