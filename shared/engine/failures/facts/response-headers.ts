/** Headers as a Headers object, or a record with names in any case. */
export type HeadersLike = Headers | Record<string, string | readonly string[] | number | undefined | null>

export type HeaderLookup = (name: string) => string | undefined

/** Looks up headers by lower-case name, whatever form they are in. */
export function lookUpHeaders(...sources: (HeadersLike | undefined)[]): HeaderLookup {
  const values = new Map<string, string>()
  for (const source of sources) {
    for (const [name, value] of listEntries(source)) {
      if (value !== undefined && value !== null && !values.has(name.toLowerCase())) {
        values.set(name.toLowerCase(), String(value))
      }
    }
  }
  return (name) => values.get(name)
}

function listEntries(source: HeadersLike | undefined): Iterable<[string, unknown]> {
  if (!source) return []
  return isHeaders(source) ? source.entries() : Object.entries(source)
}

export function isHeaders(value: unknown): value is Headers {
  return typeof value === 'object' && value !== null && typeof (value as Headers).getSetCookie === 'function'
}
