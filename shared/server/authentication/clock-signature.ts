import { toHex } from '../../engine/core/sha256.ts'
import { ApiError } from '../http/api-error.ts'

/**
 * Carries the signature of the clock that wakes waiting runs: the time in seconds since 1970, a dot, and the HMAC-SHA256
 * of `askback-clock:` and that time in lower-case hex. The key is `ASKBACK_FUNCTION_SECRET`; no ticket has such a text.
 */
export const clockHeader = 'x-askback-clock'

/** Seconds by which the time may differ from ours. A request that is sent again until then wakes what is due anyway. */
const goodForSeconds = 60

/** The value of `clockHeader` for a request that is sent now. */
export async function signClock(secret: string, now = Date.now()): Promise<string> {
  const seconds = Math.floor(now / 1000)
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signedText(`${seconds}`))
  return `${seconds}.${toHex(mac)}`
}

/** Throws ApiError: 401 unless a request comes from the clock, 503 if it cannot be told. */
export async function requireClock(
  request: Request,
  secret: string | undefined,
  now = Date.now(),
): Promise<void> {
  if (!secret) throw new ApiError('not_configured', { why: 'clock' })
  const [, seconds = '', mac = ''] =
    /^(\d{1,12})\.([0-9a-f]{64})$/.exec(request.headers.get(clockHeader) ?? '') ?? []
  const isSigned = await crypto.subtle.verify(
    'HMAC',
    await keyOf(secret, 'verify'),
    Uint8Array.from(mac.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    signedText(seconds),
  )
  if (!isSigned) throw new ApiError('unauthorized', { why: 'clock_unsigned', header: clockHeader })
  if (Math.abs(now / 1000 - Number(seconds)) > goodForSeconds) {
    throw new ApiError('unauthorized', { why: 'clock_old', header: clockHeader })
  }
}

function signedText(seconds: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`askback-clock:${seconds}`)
}

function keyOf(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}
