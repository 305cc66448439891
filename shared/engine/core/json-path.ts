/** A place inside arguments: member names and array indexes, outermost first; empty for the whole. */
export type JsonPath = readonly (string | number)[]

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const step = /(?:^|\.)([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy

/**
 * Formats a path for errors; names that are not identifiers are quoted in brackets.
 *
 * @example
 * formatPath(['to', 0, 'email']) // => 'to[0].email'
 * formatPath(['a b']) // => '["a b"]'
 */
export function formatPath(path: JsonPath): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (!plainName.test(key)) text += `[${JSON.stringify(key)}]`
    else text += text === '' ? key : `.${key}`
  }
  return text
}

/**
 * Parses a path from `formatPath`; `undefined` if the text is not a path.
 *
 * @example
 * parsePath('to[0].email') // => ['to', 0, 'email']
 */
export function parsePath(text: string): (string | number)[] | undefined {
  if (text.startsWith('.')) return undefined
  const path: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return undefined
    if (match[1] !== undefined) path.push(match[1])
    else if (match[2] !== undefined) path.push(Number(match[2]))
    else path.push(JSON.parse(match[3] ?? '""') as string)
  }
  return path
}

/** The path that an entry or an error names: they keep it as text. What is not a path is one name. */
export function readPath(text: string): JsonPath {
  return parsePath(text) ?? [text]
}

/** The parameter that a place is in: the first member of its path; `''` for the call itself. */
export function parameterAt(path: JsonPath): string {
  return String(path[0] ?? '')
}

/** The value at a path, own members only; `undefined` if there is nothing. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** Sets the value at a path in place; false if its parent does not exist. */
export function setAt(root: unknown, path: JsonPath, value: unknown): boolean {
  const parent = valueAt(root, path.slice(0, -1))
  const key = path.at(-1)
  if (key === undefined || typeof parent !== 'object' || parent === null) return false
  // Not an assignment: `__proto__` must become a member, not the prototype.
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
  return true
}

/** Removes a member or an array item in place. */
export function removeAt(root: unknown, path: JsonPath): void {
  const parent = valueAt(root, path.slice(0, -1))
  const key = path.at(-1)
  if (key === undefined || typeof parent !== 'object' || parent === null) return
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete (parent as Record<string, unknown>)[key]
}

/** True if both lead to the same place. */
export function isSamePath(a: JsonPath, b: JsonPath): boolean {
  return a.length === b.length && isWithin(a, b)
}

/** Each place once, in the order in which they come. */
export function distinctPaths(paths: readonly JsonPath[]): JsonPath[] {
  return paths.filter((path, index) => paths.findIndex((other) => isSamePath(other, path)) === index)
}

/** True if `path` is `prefix` or below it. */
export function isWithin(path: JsonPath, prefix: JsonPath): boolean {
  return prefix.length <= path.length && prefix.every((key, index) => path[index] === key)
}
