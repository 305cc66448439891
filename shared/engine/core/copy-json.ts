/** A deep copy of a JSON value, without the serialising of `structuredClone`: made for every execution. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as T
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyJson(member)])) as T
}
