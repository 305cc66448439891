import type { ZodType } from 'zod'
import type { Consequence } from '../../words/refused/consequences.ts'
import { ApiError } from '../http/api-error.ts'
import { DatabaseError } from './call-rpc.ts'

/** Seconds after which the same request may succeed: a lock is rarely held longer, and a restart takes as long. */
const retryAfterSeconds = 5

/**
 * The answer of an RPC, with the part that is used checked. Throws ApiError 503 if the database is unavailable or busy;
 * `so`: what that means for the caller.
 */
export async function askDatabase<Answer>(
  asked: Promise<unknown>,
  schema: ZodType<Answer>,
  so?: Consequence,
): Promise<Answer> {
  const answer = await asked.catch((error) => {
    throw asUnavailable(error, so)
  })
  return schema.parse(answer)
}

/** ApiError 503 for a database that may answer later; returns any other error unchanged. */
export function asUnavailable(error: unknown, so?: Consequence): unknown {
  if (!(error instanceof DatabaseError) || !error.transient) return error
  const options = { cause: error, retryAfterSeconds }
  return new ApiError(error.isBusy ? 'database_busy' : 'database_unavailable', { so }, options)
}
