import { showValue } from '../../words/list-values.ts'
import { clipText } from '../core/clip-text.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import type { Place } from './place.ts'
import { flattenSchema, itemSchema } from './resolve-schema.ts'
import { isSecretPlace } from './secret-place.ts'

const mask = '***'

/** What was sent at a place, shortened, with `***` for every secret. */
export function showSent(root: JsonSchema, sent: Place, length?: number): string {
  const value = maskSecretPlaces(root, sent)
  return value === mask ? mask : maskSecrets(showValue(value, length))
}

/** The same as a value for `details`: strings and numbers are kept, larger values become a short text. */
export function sentValue(root: JsonSchema, sent: Place, length: number): unknown {
  const value = maskSecretPlaces(root, sent)
  if (typeof value === 'string') {
    return clipText(maskSecrets(value.slice(0, length * 2)), length)
  }
  return typeof value === 'object' && value !== null ? maskSecrets(showValue(value, length)) : value
}

/** More members than this are never shown. */
const maxMembers = 30
const maxDepth = 8

function maskSecretPlaces(root: JsonSchema, { path, schema, value }: Place, depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  const shape = flattenSchema(root, schema)
  if (isSecretPlace(path, shape)) return mask
  if (depth > maxDepth) return mask
  const inside = (key: string | number, member: unknown, part: JsonSchema | boolean | undefined) =>
    maskSecretPlaces(root, { path: [...path, key], schema: part ?? {}, value: member }, depth + 1)
  if (Array.isArray(value))
    return value.slice(0, maxMembers).map((item, index) => inside(index, item, itemSchema(shape, index)))
  if (!isObject(value)) return value
  const members = Object.entries(value).slice(0, maxMembers)
  return Object.fromEntries(
    members.map(([name, member]) => [name, inside(name, member, shape.properties?.[name])]),
  )
}
