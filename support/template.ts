import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readVersion } from '../local/database/postgres-server.ts'
import { liftLimits } from './lift-limits.ts'
import { findQuietPort } from './quiet-port.ts'
import { testPostgres } from './test-postgres.ts'

/** The folder of this run of vitest, see `test-folder.ts`. */
const folder = process.env.ASKBACK_TEST_FOLDER

/**
 * Fills a new data directory with keys and a database that has the roles, the auth tables and our migrations: a copy
 * takes a tenth of the time that making it takes. Resolves to false, with nothing done, where there is nothing to copy:
 * outside vitest, and where PostgreSQL keeps its files elsewhere (see `operating-user.ts`).
 */
export async function copyTemplate(directory: string): Promise<boolean> {
  if (folder === undefined) return false
  const template = join(folder, `template-${readVersion(testPostgres())}`)
  if (!existsSync(template)) await makeTemplate(template)
  if (lstatSync(join(template, 'postgres')).isSymbolicLink()) return false
  cpSync(template, directory, { recursive: true })
  // PostgreSQL wants it so, and not every version of Node copies the modes of folders.
  chmodSync(join(directory, 'postgres'), 0o700)
  // What is started again is on its old port: nobody else may have taken it meanwhile.
  const ports = { postgres: await findQuietPort(), inbox: await findQuietPort() }
  writeFileSync(join(directory, 'ports.json'), JSON.stringify(ports), { mode: 0o600 })
  return true
}

async function makeTemplate(template: string): Promise<void> {
  const draft = `${template}.${process.pid}`
  mkdirSync(draft, { mode: 0o700 })
  const { startTestDatabase } = await import('./database.ts')
  const database = await startTestDatabase({ directory: draft })
  await liftLimits(database.sql)
  await database.close()
  // Those of the copies are their own.
  rmSync(join(draft, 'ports.json'), { force: true })
  try {
    renameSync(draft, template)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another worker was faster.
    if (!existsSync(template)) throw error
  }
}
