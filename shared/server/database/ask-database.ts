import type { ZodType } from 'zod'
import { ApiError } from '../http/api-error.ts'
import { DatabaseError } from './call-rpc.ts'

/**
 * What an RPC answers, checked against the part of it that is used. Throws ApiError 503 when the database is away,
 * with what that means for the one who asks (`so nothing was stopped. Try again in a minute.`).
 */
export async function askDatabase<Answer>(
  asked: Promise<unknown>,
  schema: ZodType<Answer>,
  consequence: string,
): Promise<Answer> {
  const answer = await asked.catch((error) => {
    if (!(error instanceof DatabaseError) || !error.transient) throw error
    const sentence = `The database cannot be reached, ${consequence}`
    throw new ApiError(503, 'database_unavailable', sentence, { cause: error })
  })
  return schema.parse(answer)
}
