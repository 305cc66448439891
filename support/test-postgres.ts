import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresBinaries, trustExtensions } from '../local/database/postgres-binaries.ts'

/** The versions beside ours that hosted projects have or will have, and the packages that npm installs them as. */
export const otherVersions = [15, 18] as const

/** The folder of one of them; undefined where npm has none: it is installed on Linux on x64 only. */
export function postgresOf(version: (typeof otherVersions)[number]): string | undefined {
  const folder = join(import.meta.dirname, `../node_modules/postgres-${version}/native`)
  return existsSync(join(folder, 'bin')) ? folder : undefined
}

/** The PostgreSQL that this test runs on, see `vitest.config.ts`. */
export function testPostgres(): string {
  const folder = process.env.ASKBACK_POSTGRES_DIR
  if (folder) trustExtensions(folder)
  return folder ?? findPostgresBinaries()
}
