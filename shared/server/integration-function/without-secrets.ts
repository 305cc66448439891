import { hideSecret } from '../../engine/core/hide-secret.ts'

/** Shorter ones would also match ordinary words. */
const minLength = 4

/** Redacts every occurrence of a secret, or of a longer piece of it, in the value, however it got there (a server may repeat it). */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const texts = secrets
    .filter((secret) => secret.length >= minLength)
    // Also in its URL-encoded form.
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length)
  return texts.length === 0 ? value : (blotOut(value, texts) as T)
}

function blotOut(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce(hideSecret, value)
  if (Array.isArray(value)) return value.map((item) => blotOut(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, blotOut(member, secrets)]))
}
