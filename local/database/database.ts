import postgres from 'postgres'
import { StartError } from '../process/start-error.ts'

/** The PostgreSQL server of the stack. */
export interface Database {
  url: string
  /** Process id of the server, while it runs and if we started it. */
  pids(): { postgres?: number }
  /** Stops the server, if we started it. */
  close(): Promise<void>
}

/**
 * Uses the PostgreSQL server of `DATABASE_URL`.
 * @throws {StartError} when it does not answer, or its user may not create roles
 */
export async function useDatabaseUrl(url: string): Promise<Database> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [role] = await sql`select rolsuper from pg_roles where rolname = current_user`
    if (!role?.rolsuper) {
      throw new StartError(
        'The user of DATABASE_URL is not a superuser, so the roles of Supabase cannot be created. Use a superuser of a development database, or unset DATABASE_URL.',
      )
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `The PostgreSQL of DATABASE_URL does not answer: ${(error as Error).message}. Start it, correct DATABASE_URL, or unset it to use the embedded PostgreSQL.`,
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
  return { url, pids: () => ({}), close: async () => {} }
}
