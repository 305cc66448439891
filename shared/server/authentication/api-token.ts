/** How every token for OpenAI clients begins: whoever finds one, and every scanner of leaked keys, sees whose it is. */
const mark = 'askb_'
/** Characters that its owner knows it by. */
const shownLength = 12
const randomBytes = 32

/** A new token: the value is shown once, the rest is stored. */
export interface NewApiToken {
  value: string
  hash: string
  prefix: string
}

/** Makes a token with 256 random bits. */
export async function makeApiToken(): Promise<NewApiToken> {
  const bytes = crypto.getRandomValues(new Uint8Array(randomBytes))
  const text = btoa(String.fromCharCode(...bytes))
  const value = mark + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return { value, hash: await hashApiToken(value), prefix: value.slice(0, shownLength) }
}

/** True for what can only be a token of ours, and no JWT. */
export function isApiToken(text: string): boolean {
  return text.startsWith(mark)
}

/** SHA-256 in lower-case hex. A random value of this length needs no salt and no slow hash. */
export async function hashApiToken(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
