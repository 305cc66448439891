import { jwtVerify, SignJWT } from 'jose'
import type { Caller } from './caller.ts'

/** What the function gives to a client and gets back: only this user gets it read, through the same grant. */
export interface SignedTexts {
  /** `seconds`: for how long; without, for good. */
  sign(kind: Kind, claims: Record<string, unknown>, caller: Caller, seconds?: number): Promise<string>
  /** Undefined for a text that is not ours, of another kind, too old, or somebody else's. */
  read(kind: Kind, text: string, caller: Caller): Promise<Record<string, unknown> | undefined>
}
type Kind = 'session' | 'state'

/** Signs with HS256 and a key of its own, derived from the service key. */
export function createSignedTexts(serviceKey: string): SignedTexts {
  let made: Promise<Uint8Array> | undefined
  const key = () => {
    made ??= deriveKey(serviceKey)
    return made
  }
  const typeOf = (kind: Kind) => `askback-mcp-${kind}+jwt`
  return {
    async sign(kind, claims, { userId, grant }, seconds) {
      const token = new SignJWT({ ...claims, grant })
        .setProtectedHeader({ alg: 'HS256', typ: typeOf(kind) })
        .setSubject(userId)
      if (seconds !== undefined) token.setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      return await token.sign(await key())
    },
    async read(kind, text, { userId, grant }) {
      const rules = { algorithms: ['HS256'], typ: typeOf(kind), subject: userId }
      const read = await jwtVerify(text, await key(), rules).catch(() => undefined)
      return read?.payload.grant === grant ? read.payload : undefined
    },
  }
}

async function deriveKey(secret: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const root = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', root, bytes('askback mcp')))
}
