/** Shorter ones would be found in ordinary words. */
const minLength = 4

/** The value with every occurrence of a secret, however it got there (a server that repeats it), blotted out. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const texts = secrets
    .filter((secret) => secret.length >= minLength)
    // As it stands in an address, too.
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length)
  return texts.length === 0 ? value : (blotOut(value, texts) as T)
}

function blotOut(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), value)
  if (Array.isArray(value)) return value.map((item) => blotOut(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, blotOut(member, secrets)]))
}
