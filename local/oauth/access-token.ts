import { SignJWT } from 'jose'
import type { Sql } from 'postgres'
import type { ClientSession } from './store.ts'

export const secondsOfToken = 3600

/**
 * A user's token as any other, with the claim `client_id` besides; undefined if the account is gone or banned.
 * https://supabase.com/docs/guides/auth/oauth-server/token-security
 */
export async function signAccessToken(
  sql: Sql,
  { id, userId, clientId }: ClientSession,
  { issuer, jwtSecret }: { issuer: string; jwtSecret: string },
): Promise<string | undefined> {
  const [row] = await sql`select to_jsonb(u) as found from auth.users u where id = ${userId}`
  const user = row?.found
  if (!user || user.deleted_at || Date.parse(user.banned_until ?? '') > Date.now()) return undefined
  return await new SignJWT({
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'oauth_provider/authorization_code', timestamp: Math.floor(Date.now() / 1000) }],
    session_id: id,
    is_anonymous: user.is_anonymous ?? false,
    client_id: clientId,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(userId)
    .setAudience('authenticated')
    .setIssuedAt()
    .setExpirationTime(`${secondsOfToken}s`)
    .sign(new TextEncoder().encode(jwtSecret))
}
