import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresOf } from './test-postgres.ts'

/** Where Debian puts it, below a root. */
const library = 'usr/lib/postgresql/15/lib'
const extension = 'usr/share/postgresql/15/extension'

/**
 * What supautils grants once it is created: `after-create.sql` for pg_cron, in
 * ansible/files/postgresql_extension_custom_scripts of https://github.com/supabase/postgres. There the extension belongs to
 * the superuser, who alone writes its table of jobs; here it belongs to `postgres`.
 */
const afterCreation = `
grant usage on schema cron to postgres with grant option;
grant all on all functions in schema cron to postgres with grant option;
grant all on all tables in schema cron to postgres with grant option;
grant all on all sequences in schema cron to postgres with grant option;
`

/**
 * The folder of a PostgreSQL 15 with Debian's pg_cron (postgresql-15-cron, from its installation or downloaded), which may
 * be created by `postgres` as on Supabase. The caller deletes it.
 *
 * @returns why there is none, if there is none
 */
export function makePostgresWithCron(): { binaries: string } | { missing: string } {
  const original = postgresOf(15)
  if (!original) return { missing: 'npm has no PostgreSQL 15 for this platform' }
  const root = findDebianCron()
  if (!root) return { missing: 'there is no postgresql-15-cron, and apt-get could not download it' }
  const binaries = mkdtempSync(join(tmpdir(), 'askback-postgres-cron-'))
  cpSync(original, binaries, { recursive: true })
  cpSync(join(root, library, 'pg_cron.so'), join(binaries, 'lib/postgresql/pg_cron.so'))
  const extensions = join(binaries, 'share/postgresql/extension')
  cpSync(join(root, extension), extensions, {
    recursive: true,
    filter: (path) => path.endsWith('extension') || path.includes('pg_cron'),
  })
  appendFileSync(join(extensions, 'pg_cron.control'), 'trusted = true\nsuperuser = true\n')
  appendFileSync(join(extensions, 'pg_cron--1.4--1.4-1.sql'), afterCreation)
  appendFileSync(
    join(binaries, 'share/postgresql/postgresql.conf.sample'),
    "\nshared_preload_libraries = 'pg_cron'\ncron.use_background_workers = on\n",
  )
  return { binaries }
}

/** The root of its files. */
function findDebianCron(): string | undefined {
  if (existsSync(join('/', library, 'pg_cron.so'))) return '/'
  const folder = mkdtempSync(join(tmpdir(), 'askback-pg-cron-'))
  try {
    execFileSync('apt-get', ['download', 'postgresql-15-cron'], { cwd: folder, stdio: 'ignore' })
    execFileSync('sh', ['-c', 'dpkg-deb -x *.deb .'], { cwd: folder, stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}
