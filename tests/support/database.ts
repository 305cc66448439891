import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { createDataApi, type DataApi } from '../../local/data-api/data-api.ts'
import { type Keys, readKeys } from '../../local/data-directory/keys.ts'
import { openPortMemory } from '../../local/data-directory/port-memory.ts'
import type { Database } from '../../local/database/database.ts'
import { startEmbeddedPostgres } from '../../local/database/embedded-postgres.ts'
import { migrate } from '../../local/database/migrations.ts'
import { chooseOperatingUser } from '../../local/database/operating-user.ts'
import { readPostmasterFile } from '../../local/database/postgres-server.ts'
import { createAuthFunctions, createRoles } from '../../local/database/system-schema.ts'
import { findFreePort } from '../../local/process/free-port.ts'
import { copyTemplate } from './template.ts'

export const supabaseDirectory = join(dirname(fileURLToPath(import.meta.url)), '../../supabase')

export interface TestDatabase {
  url: string
  /** Connections of the superuser. */
  sql: Sql
  keys: Keys
  /** Auth and data API on this database, without a port: hand it requests. */
  dataApi: DataApi
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Those of another PostgreSQL than ours. */
  systemBinaries?: string
  /** An empty directory to make it in, which stays; by default a temporary one. */
  directory?: string
  /** A folder with other `migrations` than ours. */
  supabase?: string
}

/** An empty PostgreSQL of its own with the roles, the auth tables, our migrations. */
export async function startTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'askback-database-'))
  const { systemBinaries, supabase = supabaseDirectory } = options
  const isOurs = options.directory === undefined && !systemBinaries && supabase === supabaseDirectory
  const isPrepared = isOurs && (await copyTemplate(directory))
  const keys = readKeys(directory)
  const server: Database = systemBinaries
    ? await startSystemPostgres(systemBinaries, directory)
    : await startEmbeddedPostgres({
        dataDirectory: directory,
        password: keys.databasePassword,
        ports: openPortMemory(directory),
        onChange: () => {},
      })
  const sql = postgres(server.url, { max: 20, onnotice: () => {} })
  const url = 'http://127.0.0.1'
  const dataApi = createDataApi({ databaseUrl: server.url, keys, url, sendMail: async () => {} })
  // A test process that breaks down takes its server with it.
  const endServerToo = () => {
    const { postgres: pid } = server.pids()
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
  }
  process.once('exit', endServerToo)
  const close = async () => {
    await dataApi.close()
    await sql.end({ timeout: 5 })
    await server.close()
    process.off('exit', endServerToo)
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true })
  }
  if (isPrepared) return { url: server.url, sql, keys, dataApi, close }
  try {
    await createRoles(sql)
    await dataApi.createAuthSchema()
    await createAuthFunctions(sql)
    await migrate(sql, supabase)
  } catch (error) {
    await close()
    throw error
  }
  return { url: server.url, sql, keys, dataApi, close }
}

/** Where a distribution puts PostgreSQL 15; undefined when it is not installed. */
export function findPostgres15(): string | undefined {
  const folders = ['/usr/lib/postgresql/15', '/usr/pgsql-15', '/opt/homebrew/opt/postgresql@15']
  return folders.find((folder) => existsSync(join(folder, 'bin/initdb')))
}

async function startSystemPostgres(binaries: string, directory: string): Promise<Database> {
  const user = chooseOperatingUser(binaries, join(directory, 'postgres'))
  mkdirSync(user.directory, { recursive: true, mode: 0o700 })
  const inUser = (program: string, args: string[]): [string, string[]] => {
    const [command = '', ...words] = [...user.prefix, join(user.binaries, 'bin', program), ...args]
    return [command, words]
  }
  const options = { env: { PATH: process.env.PATH, LC_ALL: 'C' }, cwd: '/', ...user.identity }
  const cluster = ['-D', user.directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  execFileSync(...inUser('initdb', cluster), { ...options, stdio: 'ignore' })
  const port = await findFreePort(0)
  const server = spawn(
    ...inUser('postgres', ['-D', user.directory, '-p', `${port}`, '-c', 'unix_socket_directories=']),
    { ...options, stdio: 'ignore' },
  )
  while (readPostmasterFile(user.directory)[7]?.trim() !== 'ready') {
    if (server.exitCode !== null) throw new Error('PostgreSQL 15 did not start.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pids: () => (server.pid === undefined ? {} : { postgres: server.pid }),
    close: () => endServer(server),
  }
}

async function endServer(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit')
  server.kill('SIGINT')
  await exit
}
