import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../local/database/migrations.ts'
import { startTestDatabase } from '../support/database.ts'
import { packageMigrations } from './build/packaged-migrations.ts'
import { compareDatabases, type DatabaseDescription, describeDatabase } from './describe-database.ts'

/**
 * Compares a database that has the migrations of the folder `released` and then the new ones of `current` with one that
 * has those of `current` only. Returns one line per difference.
 */
export async function compareUpgrade(released: string, current: string): Promise<string[]> {
  const both = mkdtempSync(join(tmpdir(), 'askback-upgrade-'))
  try {
    const migrations = join(both, 'migrations')
    cpSync(join(released, 'migrations'), migrations, { recursive: true })
    const known = new Set(readdirSync(migrations).map(versionOf))
    for (const file of readdirSync(join(current, 'migrations'))) {
      if (!known.has(versionOf(file))) cpSync(join(current, 'migrations', file), join(migrations, file))
    }
    return compareDatabases(await describeAfter(released, both), await describeAfter(current))
  } finally {
    rmSync(both, { recursive: true, force: true })
  }
}

/**
 * What a released database, which will not read its migrations again, would miss: those that are no longer, byte for byte,
 * what they were, and new ones that the package would add to a version that was released.
 */
export function findChangedMigrations(released: string, current: string): string[] {
  const changed = readdirSync(join(released, 'migrations')).flatMap((file) => {
    const now = join(current, 'migrations', file)
    if (!existsSync(now)) return [`${file} was released, and is missing.`]
    const isSame = readFileSync(join(released, 'migrations', file)).equals(readFileSync(now))
    return isSame ? [] : [`${file} was released, and has changed since.`]
  })
  if (changed.length > 0) return changed
  const packaged = packageMigrations(join(current, 'migrations'))
  return packageMigrations(join(released, 'migrations')).flatMap((text, index, { length }) =>
    text === packaged[index]
      ? []
      : [
          `Version ${index + 1} of the schema was released, and a new migration would become a part of it. The first new one has to define askback.version() anew, as version ${length + 1}.`,
        ],
  )
}

function versionOf(file: string): string {
  return file.split('_', 1)[0] ?? ''
}

/** A new database with the migrations of these folders, in order. */
async function describeAfter(first: string, ...more: string[]): Promise<DatabaseDescription> {
  const database = await startTestDatabase({ supabase: first })
  try {
    for (const folder of more) await migrate(database.sql, folder)
    return await describeDatabase(database.sql)
  } finally {
    await database.close()
  }
}
