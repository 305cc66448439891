import { toHex } from '../../../../shared/engine/core/sha256.ts'

export const signatureHeader = 'x-askback-signature'

/** The value of `signatureHeader`: the time, and the HMAC-SHA256 of that time, a dot and the body. `now`: milliseconds. */
export async function signRing(secret: string, body: string, now = Date.now()): Promise<string> {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${toHex(await hmac(secret, `${seconds}.${body}`))}`
}

export async function hmac(secret: string, text: string): Promise<ArrayBuffer> {
  const bytes = (of: string) => new TextEncoder().encode(of)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return await crypto.subtle.sign('HMAC', key, bytes(text))
}
