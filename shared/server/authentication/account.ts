import { z } from 'zod'
import type { RefusalCode } from '../../api/refusals.ts'
import { askDatabase } from '../database/ask-database.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

const consequence = 'so your account cannot be looked up. Try again in a minute.'

/** Why an account may not act (SQL `account_refusal`). */
export const accountRefusal = z.enum(['unknown_user', 'account_disabled', 'anonymous_refused'])
export type AccountRefusal = z.output<typeof accountRefusal>

const sentences: Readonly<Record<AccountRefusal, string>> = {
  unknown_user: 'This account no longer exists. Sign in again.',
  account_disabled: 'This account is disabled. Ask whoever runs this app to enable it again.',
  anonymous_refused:
    'Anonymous accounts cannot do this here. Sign in, or add an email address to your account.',
}

/** The SQLSTATEs of `require_account`. */
const bySqlState: Readonly<Record<string, AccountRefusal>> = {
  ASK01: 'unknown_user',
  ASK02: 'account_disabled',
  ASK03: 'anonymous_refused',
}

/**
 * Call this before answering a request whose other RPCs do not ask: a token outlives what its account may do. Throws
 * ApiError 401 or 403.
 */
export async function requireAccount(rpc: CallRpc, userId: string): Promise<void> {
  const asked = rpc('account_refusal', { p_user_id: userId })
  const refusal = await askDatabase(asked, accountRefusal.nullable(), consequence)
  if (refusal !== null) throw accountRefused(refusal)
}

/**
 * Turns the error of an RPC that asks whether the account may act, or of a row that refers to a deleted user, into its
 * refusal; returns any other error unchanged.
 */
export function asAccountRefused(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  const isGone = error.code === '23503' && namesUser(error)
  const refusal = isGone ? 'unknown_user' : bySqlState[error.code ?? '']
  return refusal === undefined ? error : accountRefused(refusal, error)
}

export function accountRefused(code: AccountRefusal & RefusalCode, cause?: unknown): ApiError {
  return new ApiError(code, sentences[code], { cause })
}

/** PostgreSQL names the constraint: `connections_user_id_fkey`. */
function namesUser({ message }: DatabaseError): boolean {
  return /_user_id_fkey\b/.test(message)
}
