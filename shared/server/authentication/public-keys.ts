import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { bodyLimits, readJson } from '../../engine/core/outside-body.ts'
import { ApiError } from '../http/api-error.ts'

/** The public keys that a project publishes, and so trusts. */
export interface PublicKeys {
  /** The key of a token. Throws ApiError 503 while the keys cannot be loaded, else an error of jose. */
  find: JWTVerifyGetKey
  /** Loads them in the background. */
  prepare(): void
}

/** Milliseconds that an answer counts for: a key may still be accepted for that long after it was removed. */
const maxAgeMs = 10 * 60_000
/** From then on the keys are loaded again in the background, so that a short outage is not noticed. */
const refreshAgeMs = maxAgeMs / 2
/** Between two requests for them, unless the answer has expired. */
const cooldownMs = 30_000

/**
 * The keys at the URL of a JSON Web Key Set, and no others: `SUPABASE_JWKS` may still hold a key that was revoked, and a
 * process, which lives for minutes, cannot know how old that variable is. `now`: in milliseconds since 1970.
 */
export function openPublicKeys(url: string, now: () => number): PublicKeys {
  let cached: KeySet | undefined
  let asking: Promise<KeySet> | undefined
  let lastAskedAt = Number.NEGATIVE_INFINITY

  const ask = (): Promise<KeySet> => {
    asking ??= load().finally(() => {
      asking = undefined
    })
    return asking
  }
  const load = async (): Promise<KeySet> => {
    // Not when the answer came: what it says may be as old as the request.
    const askedAt = now()
    lastAskedAt = askedAt
    try {
      cached = { find: createLocalJWKSet((await read(url)) as JSONWebKeySet), askedAt }
      return cached
    } catch (cause) {
      throw new ApiError('keys_unavailable', {}, { cause })
    }
  }
  const prepare = () => void ask().catch(() => {})
  const mayAskAgain = () => now() - lastAskedAt >= cooldownMs
  const isOlderThan = (ms: number, keys: KeySet | undefined) => !keys || now() - keys.askedAt >= ms
  const current = async (): Promise<KeySet> => {
    // A request in the background may have failed because the process was frozen: then it is made again.
    if (isOlderThan(maxAgeMs, cached)) await asking?.catch(() => {})
    let keys = cached
    while (!keys || isOlderThan(maxAgeMs, keys)) keys = await ask()
    if (isOlderThan(refreshAgeMs, keys) && mayAskAgain()) prepare()
    return keys
  }

  return {
    prepare,
    async find(header, token) {
      const keys = await current()
      try {
        return await keys.find(header, token)
      } catch (error) {
        // A key may have been added since.
        if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAskAgain()) throw error
        const { find } = await ask()
        return await find(header, token)
      }
    },
  }
}

interface KeySet {
  find: JWTVerifyGetKey
  askedAt: number
}

async function read(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(bodyLimits.publicKeys.ms)
  const response = await fetch(url, { redirect: 'manual', signal })
  if (response.status !== 200) throw new Error(`${url} answered with status ${response.status}`)
  return await readJson(response, bodyLimits.publicKeys)
}
