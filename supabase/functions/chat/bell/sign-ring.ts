import { toHex } from '../../../../shared/engine/core/sha256.ts'
import { hmac } from '../../../../shared/server/credentials/hmac.ts'

export const signatureHeader = 'x-askback-signature'

/** The value of `signatureHeader`: the time, and the HMAC-SHA256 of that time, a dot and the body. `now`: milliseconds. */
export async function signRing(secret: string, body: string, now = Date.now()): Promise<string> {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${toHex(await hmac(secret, `${seconds}.${body}`))}`
}
