import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package/package-folder.ts'

const folder = 'supabase/migrations'

/** The newest version of the schema that the running package knows. */
export function newestSchema(): number {
  const numbers = readdirSync(join(packageFolder, 'migrations')).map((name) => Number.parseInt(name, 10))
  return Math.max(...numbers)
}

/** A migration for each version of the schema: where the project has or had it, else after all that it has. */
export function migrationFiles(project: string, known: readonly string[], now: Date): Record<string, string> {
  const have = [...ownMigrations(project), ...known.flatMap(readPath)]
  let latest = versionsOf(project).reduce((a, b) => (a > b ? a : b), 0n)
  const files: Record<string, string> = {}
  for (let schema = 1; schema <= newestSchema(); schema++) {
    const text = readFileSync(join(packageFolder, 'migrations', `${schema}.sql`), 'utf8')
    const own = have.find((one) => one.schema === schema)
    if (own) {
      files[own.path] = text
      continue
    }
    const version = nextVersion(latest, now)
    latest = BigInt(version)
    files[`${folder}/${version}_askback_${schema}.sql`] = text
  }
  return files
}

/** A migration of ours in a project. */
interface OwnMigration {
  path: string
  version: string
  schema: number
}

/** The migrations of ours that a project has. */
export function ownMigrations(project: string): OwnMigration[] {
  return namesOf(project).flatMap((name) => readPath(`${folder}/${name}`))
}

function readPath(path: string): OwnMigration[] {
  const [, version = '', schema] = /\/(\d{14})_askback_(\d+)\.sql$/.exec(path) ?? []
  return schema === undefined ? [] : [{ path, version, schema: Number(schema) }]
}

/** The migrations that `askback new-integration` wrote for an integration of the project, oldest first. */
export function integrationMigrations(project: string, name: string): string[] {
  return namesOf(project)
    .filter((file) => file.replace(/^\d+_/, '') === `${migrationNameOf(name)}.sql`)
    .map((file) => `${folder}/${file}`)
}

/** What such a migration is called, after its number. */
export function migrationNameOf(integration: string): string {
  return `askback_${integration.replaceAll('-', '_')}`
}

/** All other migrations that use the schemas of Askback. */
export function migrationsUsingAskback(project: string, own: readonly string[]): string[] {
  const known = [
    ...ownMigrations(project).map(({ path }) => path),
    ...own.flatMap((name) => integrationMigrations(project, name)),
  ]
  return namesOf(project)
    .map((file) => `${folder}/${file}`)
    .filter((path) => path.endsWith('.sql') && !known.includes(path))
    .filter((path) => /\baskback(?:_private)?"?\s*\./.test(readFileSync(join(project, path), 'utf8')))
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
  // A version that is not a time, like `0001`, is counted up.
  return next !== '' && BigInt(next) > latest ? next : String(latest + 1n)
}

function written(time: Date): string {
  return time.toISOString().replace(/\D/g, '').slice(0, 14)
}
