import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Unknown links that a process answers as such in one minute. */
const mostMisses = 30
const windowMs = 60_000

/**
 * Says of an unknown link that it is none, and nothing more once many were tried. Links that exist are never refused by it:
 * nobody can lock anybody out, and no token of 256 bits is found by trying. `now`: milliseconds.
 */
export function createGuessLimit(now: () => number = Date.now): () => ApiError {
  let window = { begun: 0, misses: 0 }
  return () => {
    const time = now()
    if (time - window.begun >= windowMs) window = { begun: time, misses: 0 }
    window.misses++
    if (window.misses <= mostMisses) return new ApiError('link_not_valid', { why: 'item' })
    const retryAfterSeconds = Math.ceil((window.begun + windowMs - time) / 1000)
    return new ApiError('rate_limited', { why: 'links' }, { retryAfterSeconds })
  }
}
