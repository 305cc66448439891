import { hmac } from '../../../../shared/server/credentials/hmac.ts'
import { decodeBase64 } from '../../../../shared/server/credentials/keyring.ts'
import { encodeBase64 } from '../../../../shared/server/credentials/sealed-secret.ts'

/** The prefix of every token that ends somebody's digests. */
const mark = 'asku_'
const idBytes = 16
const macBytes = 32

/**
 * The token by which a user's digests are ended without a sign-in, of the user's id and its HMAC-SHA256. It is the same in
 * every mail, and good for as long as the function secret is.
 */
export async function unsubscribeToken(functionSecret: string, userId: string): Promise<string> {
  const id = Uint8Array.from(userId.replaceAll('-', '').match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )
  const mac = new Uint8Array(await hmac(functionSecret, signedText(userId)))
  const text = encodeBase64(new Uint8Array([...id, ...mac]))
  return mark + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The user of a token; undefined if it is none of ours. */
export async function userOfToken(functionSecret: string, token: string): Promise<string | undefined> {
  const bytes = token.startsWith(mark) ? decodeBase64(token.slice(mark.length)) : undefined
  if (bytes?.length !== idBytes + macBytes) return undefined
  const hex = Array.from(bytes.subarray(0, idBytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(functionSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const isOurs = await crypto.subtle.verify(
    'HMAC',
    key,
    bytes.subarray(idBytes),
    new TextEncoder().encode(signedText(userId)),
  )
  return isOurs ? userId : undefined
}

function signedText(userId: string): string {
  return `askback-unsubscribe:${userId}`
}
