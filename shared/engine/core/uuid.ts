const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A text like a UUID. */
type Uuid = `${string}-${string}-${string}-${string}-${string}`

/** True for a UUID of any version, in either case. */
export function isUuid(value: unknown): value is Uuid {
  return typeof value === 'string' && uuid.test(value)
}
