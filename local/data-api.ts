import postgres from 'postgres'
import { type Lite, type LiteOptions, openLite } from './supabase-lite.ts'

/** Sign-up, sign-in and the data API of a Supabase project. */
export interface DataApi {
  /** Answers `/auth/v1/*` and `/rest/v1/*`; with 503 at once while the database is not there. */
  fetch(request: Request): Promise<Response>
  /** Looks at tables and functions now, so that the first request need not. */
  readSchema(): Promise<void>
  /** Makes the schema `auth` with its tables, where it is missing. */
  createAuthSchema(): Promise<void>
  close(): Promise<void>
}

const retryDelayMs = 100

/**
 * When the database goes away, postgres.js loses requests that wait for a connection, and some of its connections
 * for good. So the whole pool is given up then, what waits in it is answered, and a new one is made when the
 * database is back.
 */
export function createDataApi(options: LiteOptions): DataApi {
  let closed = false
  let link = openLink()

  function openLink(): { lite: Lite | undefined; lost: Promise<void> } {
    let lose = () => {}
    const lost = new Promise<void>((resolve) => {
      lose = resolve
    })
    const lite = openLite(options, lose)
    void lost.then(() => replace(lite))
    return { lite, lost }
  }

  async function replace(lite: Lite): Promise<void> {
    link = { lite: undefined, lost: Promise.resolve() }
    await lite.close().catch(() => {})
    while (!closed && !(await answers(options.databaseUrl))) {
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
    if (!closed) link = openLink()
  }

  const withLite = async <Result>(work: (lite: Lite) => Promise<Result>): Promise<Result> => {
    const { lite, lost } = link
    if (lite === undefined) throw new DatabaseAway()
    const failure = lost.then(() => Promise.reject(new DatabaseAway()))
    return Promise.race([work(lite), failure])
  }

  return {
    fetch: (request) =>
      withLite((lite) => lite.fetch(request)).catch((error) => {
        if (error instanceof DatabaseAway) return unavailable()
        throw error
      }),
    readSchema: () => withLite((lite) => lite.readSchema()),
    createAuthSchema: () => withLite((lite) => lite.createAuthSchema()),
    async close() {
      closed = true
      await link.lite?.close()
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

/** As PostgREST says it. */
function unavailable(): Response {
  const message = 'The database does not answer. Try again in a moment.'
  return Response.json(
    { code: 'PGRST001', message, details: null, hint: null },
    { status: 503, headers: { 'retry-after': '1' } },
  )
}
