import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

/** Why an account may not act (SQL `account_refusal`). */
export const accountRefusal = z.enum(['unknown_user', 'account_disabled', 'anonymous_refused'])
export type AccountRefusal = z.output<typeof accountRefusal>

/** The SQLSTATEs of `require_account` and `refuse_without_factor`. */
const bySqlState: Readonly<Record<string, (cause: unknown) => ApiError>> = {
  ASK01: (cause) => accountRefused('unknown_user', cause),
  ASK02: (cause) => accountRefused('account_disabled', cause),
  ASK03: (cause) => accountRefused('anonymous_refused', cause),
  ASK04: secondFactorRequired,
}

/**
 * Call this before answering a request whose other RPCs do not ask: a token outlives what its account may do. Throws
 * ApiError 401 or 403.
 */
export async function requireAccount(rpc: CallRpc, userId: string): Promise<void> {
  const asked = rpc('account_refusal', { p_user_id: userId })
  const refusal = await askDatabase(asked, accountRefusal.nullable(), 'account_unknown')
  if (refusal !== null) throw accountRefused(refusal)
}

/**
 * Turns the error of an RPC that asks whether the account may act, or of a row that refers to a deleted user, into its
 * refusal; returns any other error unchanged.
 */
export function asAccountRefused(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.code === '23503' && namesUser(error)) return accountRefused('unknown_user', error)
  return bySqlState[error.code ?? '']?.(error) ?? error
}

export function accountRefused(code: AccountRefusal, cause?: unknown): ApiError {
  return new ApiError(code, {}, { cause })
}

export function secondFactorRequired(cause?: unknown): ApiError {
  return new ApiError('second_factor_required', {}, { cause })
}

/** PostgreSQL names the constraint: `connections_user_id_fkey`. */
function namesUser({ message }: DatabaseError): boolean {
  return /_user_id_fkey\b/.test(message)
}
