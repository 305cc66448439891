/** A deep copy of a JSON value. `structuredClone` takes ten times as long for the few values of a call. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as T
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyJson(member)])) as T
}
