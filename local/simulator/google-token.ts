import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Account, createGrants, GrantSettings, IssuedTokens } from './google-grants.ts'

/** `POST /token`: authorization codes with PKCE and refresh tokens, in Google's words. */
export function createTokenEndpoint(parts: {
  clientId: string
  clientSecret: string
  grants: ReturnType<typeof createGrants>
  settings: GrantSettings
}) {
  const { clientId, clientSecret, grants, settings } = parts
  const keys = generateKeyPair('RS256', { extractable: true })

  async function answer(c: Context, form: URLSearchParams): Promise<Response> {
    const [id, secret] = readBasic(c.req.header('authorization')) ?? [
      form.get('client_id'),
      form.get('client_secret'),
    ]
    if (id !== clientId) return refuse(c, 401, 'invalid_client', 'The OAuth client was not found.')
    if (secret !== clientSecret) return refuse(c, 401, 'invalid_client', 'Unauthorized')
    const type = form.get('grant_type')
    if (type === 'refresh_token') {
      const tokens = grants.refresh(clientId, form.get('refresh_token') ?? '')
      if (!tokens) return refuse(c, 400, 'invalid_grant', 'Token has been expired or revoked.')
      return c.json(await describe(tokens))
    }
    if (type !== 'authorization_code') {
      return refuse(c, 400, 'unsupported_grant_type', `Invalid grant_type: ${type}`)
    }
    const given = form.get('code')
    if (!given) return refuse(c, 400, 'invalid_request', 'Missing required parameter: code')
    const code = grants.takeCode(given)
    if (!code) return refuse(c, 400, 'invalid_grant', 'Malformed auth code.')
    if (form.get('redirect_uri') !== code.redirectUri) {
      return refuse(c, 400, 'redirect_uri_mismatch', 'Bad Request')
    }
    const verifier = form.get('code_verifier')
    if (code.challenge !== undefined && !verifier) {
      return refuse(c, 400, 'invalid_grant', 'Missing code verifier.')
    }
    if (verifier && challengeOf(verifier) !== code.challenge) {
      return refuse(c, 400, 'invalid_grant', 'Invalid code verifier.')
    }
    return c.json(await describe(grants.issue(clientId, code, code)))
  }

  async function describe(tokens: IssuedTokens) {
    return {
      access_token: tokens.accessToken,
      expires_in: tokens.expiresIn,
      refresh_token: tokens.refreshToken || undefined,
      refresh_token_expires_in: tokens.refreshTokenExpiresIn,
      scope: tokens.scopes.join(' '),
      token_type: 'Bearer',
      id_token: tokens.scopes.includes('openid') ? await signIdToken(tokens) : undefined,
    }
  }

  async function signIdToken({ email, scopes }: Account): Promise<string> {
    const now = Math.floor(Date.now() / 1000 + settings.clockSkewSeconds)
    const claims = scopes.includes(fullNames.email ?? '') ? { email, email_verified: true } : {}
    return new SignJWT({ azp: clientId, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'simulator', typ: 'JWT' })
      .setIssuer('https://accounts.google.com')
      .setAudience(clientId)
      .setSubject(subjectOf(email))
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .sign((await keys).privateKey)
  }

  return {
    answer,
    /** The public key of id tokens, as a JSON Web Key Set. */
    async keySet() {
      const jwk = await exportJWK((await keys).publicKey)
      return { keys: [{ ...jwk, kid: 'simulator', use: 'sig', alg: 'RS256' }] }
    },
  }
}

/** The name that Google uses for a scope in responses. */
export const fullNames: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
}

/** An error of RFC 6749, 5.2. */
export function refuse(c: Context, status: 400 | 401, error: string, description: string): Response {
  return c.json({ error, error_description: description }, status)
}

function readBasic(header: string | undefined): [string, string] | undefined {
  const text = /^Basic (.*)$/i.exec(header ?? '')?.[1]
  if (text === undefined) return undefined
  const [id = '', secret = ''] = Buffer.from(text, 'base64').toString().split(':').map(decodeURIComponent)
  return [id, secret]
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Google's account ids have 21 digits. */
function subjectOf(email: string): string {
  return BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 17)}`)
    .toString()
    .padStart(21, '1')
}
