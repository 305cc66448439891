/** 32 random bytes in base64url: a state, a code or a PKCE verifier (43 characters, RFC 7636, 4.1). */
export function makeCode(): string {
  return encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** SHA-256 in base64url: the stored form of a code, and a PKCE challenge (`S256`). */
export async function hashCode(code: string): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))))
}

function encode(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
