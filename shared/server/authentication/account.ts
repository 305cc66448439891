import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

const consequence = 'so your account cannot be looked up. Try again in a minute.'

/**
 * For requests that would answer a deleted user with "nothing there": a token outlives its account. What stores
 * something of the user's needs it not, its foreign key says the same (`asAccountGone`). Throws ApiError 401.
 */
export async function requireAccount(rpc: CallRpc, userId: string): Promise<void> {
  const asked = rpc('account_exists', { p_user_id: userId })
  if (!(await askDatabase(asked, z.boolean(), consequence))) throw accountGone()
}

/** A row that refers to a user who is not there is the end of the account, said as such; any other error as it is. */
export function asAccountGone(error: unknown): unknown {
  const isGone = error instanceof DatabaseError && error.code === '23503' && namesUser(error)
  return isGone ? accountGone(error) : error
}

export function accountGone(cause?: unknown): ApiError {
  return new ApiError(401, 'unauthorized', 'This account no longer exists. Sign in again.', { cause })
}

/** PostgreSQL names the constraint: `connections_user_id_fkey`. */
function namesUser({ message }: DatabaseError): boolean {
  return /_user_id_fkey\b/.test(message)
}
