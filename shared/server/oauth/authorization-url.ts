import type { OAuthServer } from './oauth-server.ts'
import { hashCode } from './one-time-code.ts'

/** The provider's page where the user grants what we ask for (RFC 6749, 4.1.1, with PKCE). */
export async function authorizationUrl(
  server: OAuthServer,
  request: {
    redirectUri: string
    scopes: readonly string[]
    state: string
    verifier: string
    /** The account to sign in with, if known. */
    loginHint?: string | undefined
  },
): Promise<string> {
  const { redirectUri, scopes, state, verifier, loginHint } = request
  const url = new URL(server.authorizeUrl)
  url.search = new URLSearchParams({
    client_id: server.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: [...server.identityScopes, ...scopes].join(' '),
    state,
    code_challenge: await hashCode(verifier),
    code_challenge_method: 'S256',
    ...server.authorizeParameters,
    ...(loginHint ? { login_hint: loginHint } : {}),
  }).toString()
  return url.href
}
