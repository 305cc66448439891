import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { createDataApi, type DataApi } from '../local/data-api/data-api.ts'
import { type Keys, readKeys } from '../local/data-directory/keys.ts'
import { openPortMemory } from '../local/data-directory/port-memory.ts'
import { startEmbeddedPostgres } from '../local/database/embedded-postgres.ts'
import { createRoles, handOver, setExposure } from '../local/database/hosted-project.ts'
import { migrate } from '../local/database/migrations.ts'
import { copyTemplate } from './template.ts'
import { testPostgres } from './test-postgres.ts'

export const supabaseDirectory = join(dirname(fileURLToPath(import.meta.url)), '../supabase')

export interface TestDatabase {
  /** Of the superuser. */
  adminUrl: string
  /** Of `postgres`, which owns what the migrations have made. */
  url: string
  /** Connections of the superuser. */
  sql: Sql
  keys: Keys
  /** Auth and data API on this database, without a port: hand it requests. */
  dataApi: DataApi
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** An empty directory to make it in, which stays; by default a temporary one. */
  directory?: string
  /** A folder with other `migrations` than ours. */
  supabase?: string
  /** Another PostgreSQL than the test's, with nothing prepared. */
  binaries?: string
}

/** An empty PostgreSQL of its own with the roles, the auth tables, our migrations. */
export async function startTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'askback-database-'))
  const { supabase = supabaseDirectory, binaries = testPostgres() } = options
  const isOurs = options.directory === undefined && !options.binaries && supabase === supabaseDirectory
  const isPrepared = isOurs && (await copyTemplate(directory))
  const keys = readKeys(directory)
  const server = await startEmbeddedPostgres({
    binaries,
    dataDirectory: directory,
    password: keys.databasePassword,
    ports: openPortMemory(directory),
    onChange: () => {},
  })
  const { adminUrl, url } = server
  const sql = postgres(adminUrl, { max: 20, onnotice: () => {} })
  const dataApi = createDataApi({
    databaseUrl: adminUrl,
    keys,
    url: 'http://127.0.0.1',
    sendMail: async () => {},
  })
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
  const database = { adminUrl, url, sql, keys, dataApi, close }
  if (isPrepared) return database
  try {
    await createRoles(sql, keys.databasePassword)
    await dataApi.createAuthSchema()
    await handOver(sql)
    const project = postgres(url, { max: 1, onnotice: () => {} })
    try {
      await setExposure(project, false)
      await migrate(project, supabase)
    } finally {
      await project.end()
    }
  } catch (error) {
    await close()
    throw error
  }
  return database
}
