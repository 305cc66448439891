import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import type { OAuthAccess } from '../../integrations/definition/integration.ts'
import type { Environment } from '../authentication/project-settings.ts'

export type OAuthServerName = OAuthAccess['server']

/** An authorization server, and the client that the operator has registered there. */
export interface OAuthServer {
  name: OAuthServerName
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string
  /** Always requested: they identify the account. */
  identityScopes: readonly string[]
  /** Parameters beyond OAuth 2.0. */
  authorizeParameters: Readonly<Record<string, string>>
}

/** By name; those that the operator has not set up are absent. */
export type OAuthServers = Readonly<Partial<Record<OAuthServerName, OAuthServer>>>

/**
 * Reads `GOOGLE_CLIENT_ID`, `GOOGLE_CLIENT_SECRET`, and for tests `GOOGLE_OAUTH_BASE_URL`, which replaces both hosts of
 * Google.
 */
export function readOAuthServers(env: Environment): OAuthServers {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) return {}
  const base = withoutTrailingSlash(env.GOOGLE_OAUTH_BASE_URL ?? '') || undefined
  return {
    google: {
      name: 'google',
      clientId,
      clientSecret,
      authorizeUrl: `${base ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
      tokenUrl: `${base ?? 'https://oauth2.googleapis.com'}/token`,
      revokeUrl: `${base ?? 'https://oauth2.googleapis.com'}/revoke`,
      identityScopes: ['openid', 'email'],
      // `offline` gives a refresh token, `consent` gives it every time; earlier permissions are kept.
      authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    },
  }
}
