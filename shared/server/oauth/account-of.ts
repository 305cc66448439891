import { decodeJwt } from 'jose'
import { z } from 'zod'
import type { OAuthServer } from './oauth-server.ts'

const claimsSchema = z.object({ sub: z.string().min(1).max(255), email: z.string().max(320).optional() })

/**
 * Whose account tokens are for. The id token came from the token endpoint itself over TLS, so its signature needs no
 * check (OpenID Connect Core, 3.1.3.7, 6), but its audience does. Its times are ignored, because clocks
 * differ. Undefined if it says nothing useful.
 */
export function accountOf(
  idToken: string | undefined,
  { clientId }: OAuthServer,
): { subject: string; email: string | undefined } | undefined {
  try {
    const payload = decodeJwt(idToken ?? '')
    const audience = [payload.aud].flat()
    const claims = claimsSchema.parse(payload)
    return audience.includes(clientId) ? { subject: claims.sub, email: claims.email } : undefined
  } catch {
    return undefined
  }
}
