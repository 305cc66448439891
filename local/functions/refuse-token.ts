import type { IncomingMessage } from 'node:http'
import { jwtVerify } from 'jose'

/**
 * Why the gateway lets a request to a function with `verify_jwt` not pass; undefined if it does. Codes and words are
 * those of Supabase. A browser's preflight has no token.
 */
export async function refuseToken(
  { method, headers }: IncomingMessage,
  jwtSecret: string,
): Promise<{ code: string; message: string } | undefined> {
  if (method === 'OPTIONS') return undefined
  const { authorization } = headers
  if (!authorization) return { code: 'UNAUTHORIZED_NO_AUTH_HEADER', message: 'Missing authorization header' }
  try {
    await jwtVerify(authorization.replace(/^Bearer /i, ''), new TextEncoder().encode(jwtSecret), {
      algorithms: ['HS256'],
    })
    return undefined
  } catch {
    return { code: 'UNAUTHORIZED_INVALID_JWT_FORMAT', message: 'Invalid JWT' }
  }
}
