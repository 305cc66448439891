import { sha256 } from '../../../../shared/engine/core/sha256.ts'

/** The prefix of every token of a link, so that secret scanners recognise a leaked one. */
const mark = 'askl_'
const randomBytes = 32
const form = /^askl_[\w-]{43}$/

/** Makes a token with 256 random bits. */
export function makeLinkToken(): string {
  return tokenOfBytes(crypto.getRandomValues(new Uint8Array(randomBytes)))
}

/** The token of 32 bytes that nobody can guess. */
export function tokenOfBytes(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return mark + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What is stored of a token; undefined for a text that can be none. A random value of this length needs no salt and no slow hash. */
export async function hashLinkToken(token: string | null): Promise<string | undefined> {
  return token !== null && form.test(token) ? await sha256(token) : undefined
}

/** The page of the web app that a token opens. In the fragment, no server and no log sees it. */
export function linkUrl(base: string, token: string): string {
  return `${base}/open#${token}`
}
