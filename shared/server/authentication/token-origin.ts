import { clipText } from '../../engine/core/clip-text.ts'
import { ApiError } from '../http/api-error.ts'

/** Which tokens are those of the project's users, in its own apps. */
export interface TokenOrigin {
  /** What `iss` may be. */
  issuers: readonly string[]
  /** Ids of the apps that Supabase's OAuth server may have issued a token to; `*` is any. */
  ownClients: '*' | readonly string[]
}

/** Throws ApiError 401 for a token of another issuer, or of none if it is `required`. */
export function requireIssuer(
  { iss }: { iss?: unknown },
  { issuers, required }: { issuers: readonly string[]; required: boolean },
): void {
  if (iss === undefined) {
    if (!required) return
    throw new ApiError('foreign_issuer', { why: 'none' })
  }
  // jose does not check its type.
  if (issuers.some((issuer) => issuer === iss)) return
  throw new ApiError('foreign_issuer', { why: 'other', issuer: show(iss), accepted: issuers })
}

/**
 * Throws ApiError 403 for a token of another app: Supabase's OAuth server issues it for the same user and audience, with
 * the claim `client_id` (https://supabase.com/docs/guides/auth/oauth-server/token-security).
 */
export function requireOwnClient(
  { client_id: clientId }: Record<string, unknown>,
  ownClients: TokenOrigin['ownClients'],
): void {
  if (ownClients === '*') return
  // The same as for the policies of the database: null is none.
  if (clientId === undefined || clientId === null || ownClients.some((own) => own === clientId)) return
  throw new ApiError('foreign_client', { client: show(clientId) })
}

function show(claim: unknown): string {
  return clipText(JSON.stringify(claim), 200)
}
