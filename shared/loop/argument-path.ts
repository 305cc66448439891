/** Splits a path like `to[0].email` into its names and indexes. */
export function parsePath(path: string): (string | number)[] {
  const parts: (string | number)[] = []
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) parts.push(Number(index))
    else if (name !== undefined) parts.push(name)
  }
  return parts
}

export function getAt(value: unknown, path: string): unknown {
  let part = value
  for (const key of parsePath(path)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined
    part = (part as Record<string | number, unknown>)[key]
  }
  return part
}

/** A copy with the value put at the path; what is missing on the way is made. */
export function setAt(value: unknown, path: readonly (string | number)[], put: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return put
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? [...value] : []
    items[key] = setAt(items[key], rest, put)
    return items
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...members, [key]: setAt((members as Record<string, unknown>)[key], rest, put) }
}
