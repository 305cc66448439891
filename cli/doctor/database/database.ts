import type { Finding } from '../finding.ts'
import type { Query, Target } from '../target.ts'

/** What a check of the database knows. */
export interface Database {
  query: Query
  kind: Target['kind']
  /** The version of the schema that the code needs. */
  code: number
  /** What the function `chat` is called. */
  chat: string
}

/** Finds out one thing, by reading alone: the role that reads may be Supabase's `supabase_read_only_user`. */
export type DatabaseCheck = (database: Database) => Promise<Finding | readonly Finding[]>
