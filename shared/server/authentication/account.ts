import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

const consequence = 'so your account cannot be looked up. Try again in a minute.'

/**
 * Call this before answering a request with "nothing found": a token outlives its account. Writes don't need this check:
 * the foreign key enforces it (`asAccountGone`). Throws ApiError 401.
 */
export async function requireAccount(rpc: CallRpc, userId: string): Promise<void> {
  const asked = rpc('account_exists', { p_user_id: userId })
  if (!(await askDatabase(asked, z.boolean(), consequence))) throw accountGone()
}

/** Turns the error of a row that refers to a deleted user into "account gone"; returns any other error unchanged. */
export function asAccountGone(error: unknown): unknown {
  const isGone = error instanceof DatabaseError && error.code === '23503' && namesUser(error)
  return isGone ? accountGone(error) : error
}

export function accountGone(cause?: unknown): ApiError {
  return new ApiError('unauthorized', 'This account no longer exists. Sign in again.', { cause })
}

/** PostgreSQL names the constraint: `connections_user_id_fkey`. */
function namesUser({ message }: DatabaseError): boolean {
  return /_user_id_fkey\b/.test(message)
}
