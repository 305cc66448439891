import type { ZodType } from 'zod'
import { ApiError } from '../http/api-error.ts'
import { DatabaseError } from './call-rpc.ts'

/** Seconds after which the same request may succeed: a lock is rarely held longer, and a restart takes as long. */
const retryAfterSeconds = 5

/**
 * The answer of an RPC, with the part that is used checked. Throws ApiError 503 if the database is unavailable or busy, with
 * the consequence for the caller (`so nothing was stopped. Try again in a minute.`).
 */
export async function askDatabase<Answer>(
  asked: Promise<unknown>,
  schema: ZodType<Answer>,
  consequence: string,
): Promise<Answer> {
  const answer = await asked.catch((error) => {
    throw asUnavailable(error, `, ${consequence}`)
  })
  return schema.parse(answer)
}

/** ApiError 503 for a database that may answer later; returns any other error unchanged. */
export function asUnavailable(error: unknown, consequence = '. Try again in a minute.'): unknown {
  if (!(error instanceof DatabaseError) || !error.transient) return error
  const options = { cause: error, retryAfterSeconds }
  return error.isBusy
    ? new ApiError('database_busy', `The database is busy${consequence}`, options)
    : new ApiError('database_unavailable', `The database cannot be reached${consequence}`, options)
}
