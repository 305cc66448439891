import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The catalogue migrations, one for each version that was committed: `supabase db push` applies new ones. */
const catalogueFile = /^\d{14}_catalogue\.sql$/

/**
 * Writes the catalogue as a migration if the newest one differs, and returns the files that changed. A migration that
 * was pushed is never applied again, so a committed one stays and gets a successor; one that is not committed is
 * replaced. Without git there is no telling what was pushed, so every version is kept.
 */
export function refreshCatalogueFile(directory: string, text: string, check: boolean, now: Date): string[] {
  const newest = newestCatalogue(directory)
  if (says(directory, newest, text)) return []
  if (check) return ['supabase/migrations/*_catalogue.sql']
  const changed: string[] = []
  if (newest !== undefined && isUncommitted(directory, newest)) {
    rmSync(join(directory, newest))
    changed.push(newest)
  }
  if (!says(directory, newestCatalogue(directory), text)) {
    const name = `${nextVersion(directory, now)}_catalogue.sql`
    writeFileSync(join(directory, name), text)
    changed.splice(0, 1, name)
  }
  return changed.map((name) => `supabase/migrations/${name}`)
}

function says(directory: string, name: string | undefined, text: string): boolean {
  return name !== undefined && readFileSync(join(directory, name), 'utf8') === text
}

/** The newest catalogue as SQL; undefined when there is none. */
export function readCatalogue(migrationsDirectory: string): string | undefined {
  if (!existsSync(migrationsDirectory)) return undefined
  const newest = newestCatalogue(migrationsDirectory)
  return newest && readFileSync(join(migrationsDirectory, newest), 'utf8')
}

function newestCatalogue(directory: string): string | undefined {
  return readdirSync(directory)
    .filter((name) => catalogueFile.test(name))
    .sort()
    .at(-1)
}

/** The time as the Supabase CLI writes it, but later than every existing migration: they are applied in order. */
function nextVersion(directory: string, now: Date): string {
  const version = BigInt(now.toISOString().replace(/\D/g, '').slice(0, 14))
  const newest = readdirSync(directory)
    .map((name) => BigInt(/^\d+(?=_.*\.sql$)/.exec(name)?.[0] ?? 0))
    .reduce((a, b) => (a > b ? a : b), 0n)
  return String(version > newest ? version : newest + 1n)
}

/** Whether this is a git repository whose last commit does not have the file. */
export function isUncommitted(directory: string, name: string): boolean {
  const git = (...words: string[]) => {
    try {
      execFileSync('git', words, { cwd: directory, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  return git('rev-parse', '--is-inside-work-tree') && !git('cat-file', '-e', `HEAD:./${name}`)
}
