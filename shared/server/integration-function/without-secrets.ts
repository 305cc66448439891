import { hideSecret } from '../../engine/core/hide-secret.ts'

/** Shorter ones would also match ordinary words. */
const minLength = 4

/**
 * Redacts every occurrence of a secret, or of a longer piece of it, in the value, however it got there: a server may
 * repeat what it was sent, as it was encoded.
 */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const texts = [...new Set(secrets.flatMap(waysToWrite))]
    .filter((text) => text.length >= minLength)
    .sort((a, b) => b.length - a.length)
  return texts.length === 0 ? value : (blotOut(value, texts) as T)
}

function blotOut(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce(hideSecret, value)
  if (Array.isArray(value)) return value.map((item) => blotOut(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, blotOut(member, secrets)]))
}

/** A secret as it is, in JSON, in a URL, in a form, and in base64, in which mail servers are sent passwords. */
function waysToWrite(secret: string): string[] {
  if (secret.length < minLength) return []
  const bytes = new TextEncoder().encode(secret)
  // Half a character was not sent as it is either.
  const inUrl = encodeURIComponent(new TextDecoder().decode(bytes))
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    ...inBase64(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ]
}

/** By how many bytes precede the secret: the characters that hold nothing but bits of it. */
function inBase64(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((before) =>
    btoa(String.fromCharCode(...new Uint8Array(before), ...bytes)).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    ),
  )
}
