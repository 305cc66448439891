import postgres from 'postgres'
import { type Lite, type LiteOptions, openLite } from './supabase-lite.ts'

/** Sign-up, sign-in and the data API of a Supabase project. */
export interface DataApi {
  /** Serves `/auth/v1/*` and `/rest/v1/*`; answers 503 at once while the database is down. */
  fetch(request: Request): Promise<Response>
  /** Reads the tables and functions now, so that the first request need not. */
  readSchema(): Promise<void>
  /** Creates the schema `auth` with its tables, if it is missing. */
  createAuthSchema(): Promise<void>
  close(): Promise<void>
}

const retryDelayMs = 100

/**
 * When the database goes down, postgres.js never settles requests that wait for a connection, and loses some
 * connections for good. So we drop the whole pool, answer what waits in it, and create a new pool once it is back.
 */
export function createDataApi(options: LiteOptions): DataApi {
  let closed = false
  let lite: Lite | undefined = open()
  const waiting = new Set<(error: Error) => void>()

  function open(): Lite {
    const opened: Lite = openLite(options, () => {
      // The connections of a pool end one by one; the last ones may end when there is a new pool already.
      if (lite !== opened) return
      lite = undefined
      for (const reject of waiting) reject(new DatabaseAway())
      void opened.close().catch(() => {})
      void reopen()
    })
    return opened
  }

  async function reopen(): Promise<void> {
    while (!closed && !(await answers(options.databaseUrl))) {
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
    if (!closed) lite = open()
  }

  /** Rejects with DatabaseAway when the database is down, or goes down before the work is done. */
  async function withLite<Result>(work: (lite: Lite) => Promise<Result>): Promise<Result> {
    const current = lite
    if (current === undefined) throw new DatabaseAway()
    let stopWaiting = (_: Error): void => {}
    const away = new Promise<never>((_, reject) => {
      stopWaiting = reject
    })
    waiting.add(stopWaiting)
    try {
      return await Promise.race([work(current), away])
    } finally {
      waiting.delete(stopWaiting)
    }
  }

  return {
    fetch: (request) =>
      withLite(({ fetch }) => fetch(request)).catch((error) => {
        if (error instanceof DatabaseAway) return unavailable()
        throw error
      }),
    readSchema: () => withLite(({ readSchema }) => readSchema()),
    createAuthSchema: () => withLite(({ createAuthSchema }) => createAuthSchema()),
    async close() {
      closed = true
      await lite?.close()
    },
  }
}

class DatabaseAway extends Error {
  override message = 'The database does not answer.'
}

async function answers(databaseUrl: string): Promise<boolean> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The error as PostgREST words it. */
function unavailable(): Response {
  const message = 'The database does not answer. Try again in a moment.'
  return Response.json(
    { code: 'PGRST001', message, details: null, hint: null },
    { status: 503, headers: { 'retry-after': '1' } },
  )
}
