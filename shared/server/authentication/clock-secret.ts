import { sha256 } from '../../engine/core/sha256.ts'
import { ApiError } from '../http/api-error.ts'

/** Carries `ASKBACK_FUNCTION_SECRET` from the clock that wakes waiting runs: pg_cron on Supabase, the timer of the local stack. */
export const clockHeader = 'x-askback-clock'

/** Throws ApiError: 401 unless a request comes from the clock, 503 if it cannot be told. */
export async function requireClock(request: Request, secret: string | undefined): Promise<void> {
  if (!secret) {
    const sentence = 'ASKBACK_FUNCTION_SECRET is not set, so nothing that waits is resumed. Set this secret.'
    throw new ApiError('not_configured', sentence)
  }
  const given = request.headers.get(clockHeader)
  // Compares digests, so that the time it takes reveals nothing about the secret.
  if (given && (await sha256(given)) === (await sha256(secret))) return
  throw new ApiError('unauthorized', `Only the clock may send this request (${clockHeader}).`)
}
