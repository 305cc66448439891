import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package/package-folder.ts'
import type { Change } from './changes.ts'

const folder = 'supabase/migrations'

/** The newest version of the schema that the running package knows. */
export function newestSchema(): number {
  const numbers = readdirSync(join(packageFolder, 'migrations')).map((name) => Number.parseInt(name, 10))
  return Math.max(...numbers)
}

/** A migration for each version of the schema that the project lacks, after all that it has. */
export function missingMigrations(project: string, now: Date): Change[] {
  const have = ownMigrations(project).map(({ schema }) => schema)
  let latest = versionsOf(project).reduce((a, b) => (a > b ? a : b), 0n)
  const changes: Change[] = []
  for (let schema = 1; schema <= newestSchema(); schema++) {
    if (have.includes(schema)) continue
    const version = nextVersion(latest, now)
    latest = BigInt(version)
    const text = readFileSync(join(packageFolder, 'migrations', `${schema}.sql`), 'utf8')
    changes.push({ path: `${folder}/${version}_askback_${schema}.sql`, text })
  }
  return changes
}

/** The migrations of ours that a project has. */
export function ownMigrations(project: string): { path: string; version: string; schema: number }[] {
  return namesOf(project).flatMap((name) => {
    const match = /^(\d{14})_askback_(\d+)\.sql$/.exec(name)
    return match ? [{ path: `${folder}/${name}`, version: match[1] ?? '', schema: Number(match[2]) }] : []
  })
}

/** The path of a new migration that comes after all others. */
export function newMigrationPath(project: string, name: string, now: Date): string {
  const latest = versionsOf(project).reduce((a, b) => (a > b ? a : b), 0n)
  return `${folder}/${nextVersion(latest, now)}_${name}.sql`
}

function namesOf(project: string): string[] {
  const full = join(project, folder)
  return existsSync(full) ? readdirSync(full).sort() : []
}

function versionsOf(project: string): bigint[] {
  return namesOf(project).map((name) => BigInt(/^\d+(?=_.*\.sql$)/.exec(name)?.[0] ?? 0))
}

/** Now, or a second after the latest one. Both are UTC as the Supabase CLI writes it: `20270301120000`. */
function nextVersion(latest: bigint, now: Date): string {
  const current = written(now)
  if (BigInt(current) > latest) return current
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(latest)) ?? []
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  const later = new Date(Date.UTC(year, month - 1, ...rest) + 1000)
  const next = Number.isNaN(later.getTime()) ? '' : written(later)
  // A number that is no time is only counted on.
  return next !== '' && BigInt(next) > latest ? next : String(latest + 1n)
}

function written(time: Date): string {
  return time.toISOString().replace(/\D/g, '').slice(0, 14)
}
