import type { JWTVerifyGetKey } from 'jose'
import { createLocalJWKSet, createRemoteJWKSet, errors } from 'jose'
import { ApiError } from '../http/api-error.ts'

/** Public keys that verify user tokens. */
export interface PublicKeySources {
  /** A JSON Web Key Set as JSON text (`SUPABASE_JWKS`). */
  jwks?: string | undefined
  /** The URL of the project's published key set. */
  jwksUrl?: string | undefined
}

/**
 * The given keys first; the published ones if a token names an unknown key (rotation). Undefined without any source.
 * The lookup throws ApiError 503 if the published set cannot be loaded.
 */
export function findPublicKeys({ jwks, jwksUrl }: PublicKeySources): JWTVerifyGetKey | undefined {
  const given = readKeySet(jwks)
  const published = jwksUrl ? fetchKeySet(new URL(jwksUrl)) : undefined
  if (!given || !published) return given ?? published
  return async (header, token) => {
    try {
      return await given(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return await published(header, token)
    }
  }
}

/** An invalid key set counts as absent: the published set has the same keys and is always well-formed. */
function readKeySet(jwks: string | undefined): JWTVerifyGetKey | undefined {
  try {
    return jwks ? createLocalJWKSet(JSON.parse(jwks)) : undefined
  } catch {
    return undefined
  }
}

/** Cached for ten minutes and reloaded at most every 30 seconds for unknown keys (the defaults of jose). */
function fetchKeySet(url: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url)
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (cause) {
      const aboutTheToken =
        cause instanceof errors.JWKSNoMatchingKey ||
        cause instanceof errors.JWKSMultipleMatchingKeys ||
        cause instanceof errors.JOSENotSupported
      if (aboutTheToken) throw cause
      throw new ApiError(
        'keys_unavailable',
        'The signing keys of this project could not be loaded, so nobody can be recognised. Try again in a minute.',
        { cause },
      )
    }
  }
}
