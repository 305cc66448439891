import { sha256 } from '../../engine/core/sha256.ts'

/** The prefix of every token for OpenAI clients, so that people and secret scanners recognise a leaked one. */
const mark = 'askb_'
/** Characters by which its owner recognises it. */
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

/** True if this can only be one of our tokens, not a JWT. */
export function isApiToken(text: string): boolean {
  return text.startsWith(mark)
}

/** A random value of this length needs no salt and no slow hash. */
export function hashApiToken(value: string): Promise<string> {
  return sha256(value)
}
