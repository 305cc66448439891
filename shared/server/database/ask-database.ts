import type { ZodType } from 'zod'
import { ApiError } from '../http/api-error.ts'
import { DatabaseError } from './call-rpc.ts'

/**
 * The answer of an RPC, with the part that is used checked. Throws ApiError 503 if the database is unavailable, with the
 * consequence for the caller (`so nothing was stopped. Try again in a minute.`).
 */
export async function askDatabase<Answer>(
  asked: Promise<unknown>,
  schema: ZodType<Answer>,
  consequence: string,
): Promise<Answer> {
  const answer = await asked.catch((error) => {
    if (!(error instanceof DatabaseError) || !error.transient) throw error
    const sentence = `The database cannot be reached, ${consequence}`
    throw new ApiError('database_unavailable', sentence, { cause: error })
  })
  return schema.parse(answer)
}
