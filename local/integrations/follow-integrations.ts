import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { readCatalogue } from './catalogue-file.ts'

/** Keeps the catalogue of a running stack up to date with the integrations' folders. */
export interface CatalogueFollower {
  /** To be called when folders may have changed. On an error, which is printed, the catalogue stays as it was. */
  follow(): void
  close(): Promise<void>
}

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Updates the database to the newest catalogue migration, whichever of them were applied before. */
export async function applyCatalogue(sql: Sql, supabaseDirectory: string): Promise<void> {
  const text = readCatalogue(join(supabaseDirectory, 'migrations'))
  if (text !== undefined) await sql.begin((transaction) => transaction.unsafe(text))
}

export function followIntegrations(supabaseDirectory: string, databaseUrl: string): CatalogueFollower {
  const stop = new AbortController()
  let applied = readCatalogue(join(supabaseDirectory, 'migrations'))
  let working = Promise.resolve()
  let asked = false

  const refresh = async () => {
    asked = false
    await runGenerator(stop.signal)
    const text = readCatalogue(join(supabaseDirectory, 'migrations'))
    if (stop.signal.aborted || text === applied) return
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    try {
      await applyCatalogue(sql, supabaseDirectory)
    } finally {
      await sql.end()
    }
    applied = text
    console.log('[integrations] the catalog has changed and is in the database')
  }

  return {
    follow() {
      if (asked) return
      asked = true
      working = working.then(refresh).catch((error) => {
        if (!stop.signal.aborted) console.error(`[integrations] ${error.message}`)
      })
    },
    async close() {
      stop.abort()
      await working
    },
  }
}

/** Runs in its own process, because a module that was loaded once is not loaded again. */
async function runGenerator(signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/integrations.ts'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(said.trim())
}
