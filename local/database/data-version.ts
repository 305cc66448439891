import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../process/start-error.ts'
import { readVersion } from './postgres-server.ts'

/**
 * A server can only use data that its own major version has made. Writes nothing.
 * @throws {StartError} when another version has made those in this data directory
 */
export function refuseOtherVersion(dataDirectory: string, binaries: string): void {
  const path = join(dataDirectory, 'postgres/PG_VERSION')
  if (!existsSync(path)) return
  const made = Number(readFileSync(path, 'utf8'))
  const version = readVersion(binaries)
  if (made === version) return
  throw new StartError(
    `The data directory ${dataDirectory} was made by PostgreSQL ${made}, and this is PostgreSQL ${version}. Nothing was changed. Set ASKBACK_DATA_DIR to another folder, or use the last commit with PostgreSQL ${made} to see that data again (docs/troubleshooting.md).`,
  )
}
