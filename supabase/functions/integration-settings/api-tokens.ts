import { z } from 'zod'
import { type ApiToken, apiToken, type NewApiToken } from '../../../shared/api/api-token.ts'
import { makeApiToken } from '../../../shared/server/authentication/api-token.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'

const tooManySchema = z.object({ about: z.object({ limit: z.number() }) })

/**
 * Creates a token; this is the only time its value is returned. Throws ApiError 404 for somebody else's
 * agent, 403 for one too many. */
export async function makeToken(
  rpc: CallRpc,
  userId: string,
  request: NewApiToken,
): Promise<ApiToken & { value: string }> {
  const { value, hash, prefix } = await makeApiToken()
  const p_token = { id: crypto.randomUUID(), ...request, hash, prefix }
  const asked = rpc('create_api_token', { p_user_id: userId, p_token })
  const token = await askDatabase(asked, z.union([apiToken(), tooManySchema]).nullable(), 'token_not_created')
  if (token === null) throw new ApiError('agent_not_found', { why: 'of_token' })
  if ('about' in token) throw new ApiError('limit_reached', { why: 'tokens', limit: token.about.limit })
  return { ...token, value }
}

export function listApiTokens(rpc: CallRpc, userId: string): Promise<ApiToken[]> {
  return askDatabase(rpc('list_api_tokens', { p_user_id: userId }), z.array(apiToken()), 'tokens_not_listed')
}

/** Revokes a token for good. Throws ApiError 404. */
export async function revokeToken(rpc: CallRpc, userId: string, id: string) {
  const asked = rpc('revoke_api_token', { p_user_id: userId, p_token_id: id })
  if (await askDatabase(asked, z.boolean(), 'not_revoked')) return { deleted: id }
  throw new ApiError('token_not_found')
}

/** Revokes all tokens of a user for good. */
export async function revokeTokens(rpc: CallRpc, userId: string) {
  const asked = rpc('revoke_api_tokens', { p_user_id: userId })
  return { revoked: await askDatabase(asked, z.number(), 'not_revoked') }
}
