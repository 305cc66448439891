import postgres from 'postgres'
import { StartError } from '../process/start-error.ts'

/** The PostgreSQL server of the stack. */
export interface Database {
  /** As a superuser: for the parts of the stack that Supabase runs as others than the project's role. */
  adminUrl: string
  /** As `postgres`, the role that a hosted project gives to its team. */
  url: string
  /** Process id of the server, while it runs and if we started it. */
  pids(): { postgres?: number }
  /** Stops the server, if we started it. */
  close(): Promise<void>
}

/** As `server_version_num` writes it. */
const oldestVersion = 150_000

/**
 * Uses the PostgreSQL server of `DATABASE_URL`.
 * @throws {StartError} when it does not answer, is too old, or its user may not create roles
 */
export async function useDatabaseUrl(url: string): Promise<Database> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [server] = await sql`
      select rolsuper as "isSuperuser", current_setting('server_version_num')::integer as version
      from pg_roles where rolname = current_user`
    if (server?.version < oldestVersion) {
      throw new StartError(
        `The server of DATABASE_URL is PostgreSQL ${Math.trunc(server?.version / 10_000)}. Hosted Supabase has 15 or 17: use a server of version 15 or later, or unset DATABASE_URL.`,
      )
    }
    if (!server?.isSuperuser) {
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
  return { adminUrl: url, url, pids: () => ({}), close: async () => {} }
}
