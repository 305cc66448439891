import type { Pending } from '../api/message.ts'
import { asObject } from './json-object.ts'

/** What the ids among a call's values are called, by parameter, as its question found them. Anybody may have named them. */
export function lookedUpNames({ codeValues }: Pick<Pending, 'codeValues'>): Record<string, string> {
  const known = Object.entries(asObject(asObject(codeValues).known))
  return Object.fromEntries(
    known.flatMap(([parameter, records]): [string, string][] => {
      const names = [records].flat().flatMap((record) => nameIn(record) ?? [])
      return names.length === 0 ? [] : [[parameter, names.join(', ')]]
    }),
  )
}

/** What is said of it first. */
function nameIn(record: unknown): string | undefined {
  const [name] = Object.values(asObject(record))
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}
