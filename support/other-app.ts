import { decodeJwt, SignJWT } from 'jose'

/** The id of an app that is no part of the project: a client of Supabase's OAuth server. */
export const otherApp = '9f3c1a52-6f0e-4a53-8d0b-2f1f5f6f7a10'

/**
 * The token of a user with further claims, signed anew (HS256): with `client_id`, as Supabase's OAuth server issues it to an
 * app that the user has let in (https://supabase.com/docs/guides/auth/oauth-server/token-security).
 */
export function withClaims(token: string, secret: string, claims: object = { client_id: otherApp }) {
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
}
