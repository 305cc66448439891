import type { OutputUnit } from '@cfworker/json-schema'
import { type JsonPath, valueAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { decodePointer, resolveReference } from './resolve-schema.ts'

interface Location {
  /** The schema that contains the failing keyword. */
  node: JsonSchema
  /** The outermost schema for that place in the value. */
  place: JsonSchema | boolean
  /** The validator also reports `additionalProperties` for a declared member that is already invalid. */
  stray: boolean
}

/** Follows the validator's keyword location through the schema. */
function locate(root: JsonSchema, location: string, instancePath: JsonPath): Location {
  const tokens = location.split('/').slice(1).map(decodePointer)
  let node: JsonSchema | boolean | undefined = root
  let place: JsonSchema | boolean = root
  let depth = 0
  let stray = false
  for (let i = 0; i < tokens.length - 1 && typeof node === 'object'; i++) {
    const token = tokens[i] as string
    const step: unknown = (node as Record<string, unknown>)[token]
    switch (token) {
      case '$ref':
        node = resolveReference(root, String(step))
        break
      case 'anyOf':
      case 'allOf':
      case 'oneOf':
      case 'dependentSchemas':
        node = (step as Record<string, JsonSchema>)?.[tokens[++i] as string]
        break
      case 'properties':
      case 'patternProperties':
      case 'prefixItems':
        node = place = (step as Record<string, JsonSchema>)?.[tokens[++i] as string] ?? {}
        depth++
        break
      case 'items':
        node = place = (Array.isArray(step) ? step[Number(tokens[++i])] : step) as JsonSchema
        depth++
        break
      case 'additionalProperties':
        if (node.properties && String(instancePath[depth]) in node.properties) stray = true
        node = place = step as JsonSchema
        depth++
        break
      case 'additionalItems':
      case 'unevaluatedItems':
      case 'unevaluatedProperties':
      case 'contains':
        node = place = step as JsonSchema
        depth++
        break
      default:
        node = step as JsonSchema
    }
  }
  return { node: typeof node === 'object' ? node : {}, place, stray }
}

/** Where the validator found an error: the place in the value, and the schema that contains the failed keyword. */
export interface ErrorLocation extends Location {
  path: JsonPath
  value: unknown
}

export function locateError(
  root: JsonSchema,
  value: unknown,
  { instanceLocation, keywordLocation }: Pick<OutputUnit, 'instanceLocation' | 'keywordLocation'>,
): ErrorLocation {
  const found = readPointer(value, instanceLocation)
  return { ...found, ...locate(root, keywordLocation, found.path) }
}

/** What the validator's pointer leads to; array indexes become numbers. */
export function readPointer(root: unknown, pointer: string): { path: JsonPath; value: unknown } {
  const path: (string | number)[] = []
  let value = root
  for (const token of pointer.split('/').slice(1)) {
    const name = decodePointer(token)
    const key = Array.isArray(value) ? Number(name) : name
    path.push(key)
    value = valueAt(value, [key])
  }
  return { path, value }
}
