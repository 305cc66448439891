import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { isUuid } from '../../engine/core/uuid.ts'
import { ApiError } from '../http/api-error.ts'
import { openPublicKeys } from './public-keys.ts'
import { requireIssuer, requireOwnClient, type TokenOrigin } from './token-origin.ts'

/** The user a verified token belongs to. */
export interface TokenUser {
  /** UUID, the token's `sub`. */
  userId: string
  email?: string
  name?: string
  /** The session has proven a second factor: `aal2`. */
  hasSecondFactor?: true
  /** The app that Supabase's OAuth server issued it to: one of the project, except in the function `mcp`. */
  clientId?: string
  /** The token itself, to call another function as this user. */
  token: string
  /** Seconds since 1970. */
  expiresAt: number
}

/**
 * Verifies a user's JWT; rejects with ApiError 401, 403 if it was issued to another app, or 503 if the project's keys
 * cannot be loaded.
 */
export type VerifyUserToken = (token: string | undefined) => Promise<TokenUser>

export interface TokenSettings extends Partial<TokenOrigin> {
  /** For HS256: the local stack, and projects with a legacy JWT secret. */
  secret?: string | undefined
  /** The URL of the project's published key set, for asymmetric keys. */
  keysUrl?: string | undefined
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The algorithms Supabase Auth signs with. No symmetric one: it would accept a public key as a secret. */
const asymmetricAlgorithms = ['ES256', 'RS256', 'EdDSA', 'Ed25519']

/**
 * Makes the check of user tokens: issuer, signature, expiry, audience `authenticated`, to whom it was issued, a UUID as
 * subject. The token's algorithm chooses the kind of key, and each kind accepts only its own algorithms. Tokens of the
 * local stack have neither `kid` nor `iss`, so with a shared secret neither is required.
 */
export function createTokenVerifier(settings: TokenSettings): VerifyUserToken {
  const { keysUrl, issuers = [], ownClients = [], now = Date.now } = settings
  const secret = settings.secret ? new TextEncoder().encode(settings.secret) : undefined
  const publicKeys = keysUrl ? openPublicKeys(keysUrl, now) : undefined
  // With a shared secret, perhaps no token needs them.
  if (!secret) publicKeys?.prepare()
  return async (token) => {
    if (!token) throw unauthorized('no_token')
    const { algorithm, claims } = decode(token)
    requireIssuer(claims, { issuers, required: asymmetricAlgorithms.includes(algorithm) })
    const keys = { secret, publicKeys: publicKeys?.find, now }
    const payload = await verifiedPayload(token, algorithm, keys)
    requireOwnClient(payload, ownClients)
    return readUser(token, payload)
  }
}

async function verifiedPayload(
  token: string,
  algorithm: string,
  keys: { secret: Uint8Array | undefined; publicKeys: JWTVerifyGetKey | undefined; now: () => number },
): Promise<JWTPayload> {
  const { secret, publicKeys } = keys
  const rules = {
    audience: 'authenticated',
    requiredClaims: ['exp', 'sub'],
    currentDate: new Date(keys.now()),
  }
  try {
    if (algorithm === 'HS256' && secret) {
      return (await jwtVerify(token, secret, { ...rules, algorithms: ['HS256'] })).payload
    }
    if (asymmetricAlgorithms.includes(algorithm) && publicKeys) {
      return (await jwtVerify(token, publicKeys, { ...rules, algorithms: asymmetricAlgorithms })).payload
    }
  } catch (cause) {
    throw refusal(cause)
  }
  throw unauthorized('signed_otherwise')
}

/** What a token says, before anything of it is proven. */
function decode(token: string): { algorithm: string; claims: JWTPayload } {
  try {
    return { algorithm: decodeProtectedHeader(token).alg ?? '', claims: decodeJwt(token) }
  } catch (cause) {
    throw unauthorized('no_jwt', cause)
  }
}

function refusal(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  if (cause instanceof errors.JWTExpired) return unauthorized('token_expired', cause)
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud') {
    return unauthorized('wrong_audience', cause)
  }
  return unauthorized('token_not_valid', cause)
}

function readUser(token: string, payload: JWTPayload): TokenUser {
  const { sub, email, exp } = payload
  // jose does not check the type of `sub`.
  if (!isUuid(sub) || exp === undefined) throw unauthorized('no_user')
  const name = fullName(payload.user_metadata)
  return {
    userId: sub.toLowerCase(),
    email: typeof email === 'string' && email !== '' ? email : undefined,
    name,
    hasSecondFactor: payload.aal === 'aal2' ? true : undefined,
    clientId: typeof payload.client_id === 'string' ? payload.client_id : undefined,
    token,
    expiresAt: exp,
  }
}

function fullName(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const { full_name: full, name } = metadata as { full_name?: unknown; name?: unknown }
  return [full, name].find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

type Why =
  | 'no_token'
  | 'no_jwt'
  | 'signed_otherwise'
  | 'token_expired'
  | 'wrong_audience'
  | 'token_not_valid'
  | 'no_user'

function unauthorized(why: Why, cause?: unknown): ApiError {
  return new ApiError('unauthorized', { why }, { cause })
}
