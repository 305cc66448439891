/** The HMAC-SHA256 (RFC 2104) of a text. */
export async function hmac(secret: string, text: string): Promise<ArrayBuffer> {
  const bytes = (of: string) => new TextEncoder().encode(of)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return await crypto.subtle.sign('HMAC', key, bytes(text))
}
