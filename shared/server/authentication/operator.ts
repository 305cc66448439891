import { z } from 'zod'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { ApiError } from '../http/api-error.ts'

/** Whether a user is a row of `askback.operators`. */
export function isOperator(rpc: CallRpc, userId: string): Promise<boolean> {
  const asked = rpc('is_operator', { p_user_id: userId })
  return askDatabase(asked, z.boolean(), 'operator_unknown')
}

/** Throws ApiError 403 to everybody else, before anybody's data is looked up. */
export async function requireOperator(rpc: CallRpc, userId: string): Promise<void> {
  if (await isOperator(rpc, userId)) return
  throw new ApiError('not_an_operator')
}
