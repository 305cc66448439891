import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'

/** A longer chain of references is circular. */
const maxHops = 16
const maxAlternatives = 24

/** The schema that a local reference points to, in a normalised document. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | boolean | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1))
  let node: unknown = root
  for (const token of reference.slice(2).split('/')) {
    if (typeof node !== 'object' || node === null) return undefined
    node = (node as Record<string, unknown>)[decodePointer(token)]
  }
  return typeof node === 'boolean' || isObject(node) ? (node as JsonSchema | boolean) : undefined
}

function findAnchor(root: JsonSchema, anchor: string): JsonSchema | undefined {
  for (const map of [root.$defs, root.definitions]) {
    for (const schema of Object.values(map ?? {})) {
      if (typeof schema === 'object' && schema.$anchor === anchor) return schema
    }
  }
  return undefined
}

/** Decodes one step of a JSON Pointer in a URI fragment. */
export function decodePointer(token: string): string {
  let text = token
  try {
    text = decodeURIComponent(token)
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** What was folded flat, by document and place: a call that is corrected asks for the same place a dozen times. */
const flattened = new WeakMap<JsonSchema, WeakMap<JsonSchema, JsonSchema>>()

/** A schema with its references and `allOf` parts merged in; alternatives stay alternatives. */
export function flattenSchema(root: JsonSchema, schema: JsonSchema | boolean | undefined): JsonSchema {
  if (typeof schema !== 'object') return {}
  if (schema.$ref === undefined && !schema.allOf) return schema
  const places = flattened.get(root) ?? new WeakMap<JsonSchema, JsonSchema>()
  const flat = places.get(schema) ?? foldSchema(root, schema, 0)
  flattened.set(root, places.set(schema, flat))
  return flat
}

function foldSchema(root: JsonSchema, schema: JsonSchema | boolean | undefined, hops: number): JsonSchema {
  if (typeof schema !== 'object' || hops > maxHops) return {}
  let flat: JsonSchema = schema
  if (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema
    flat = mergeSchemas(
      withoutTypeName(foldSchema(root, resolveReference(root, $ref), hops + 1), $ref),
      beside,
    )
  }
  if (flat.allOf) {
    const { allOf, ...beside } = flat
    flat = allOf.reduce<JsonSchema>(
      (all, part) => mergeSchemas(all, foldSchema(root, part, hops + 1)),
      beside,
    )
  }
  return flat
}

/** Generators give a definition the name of its class as a title: it says what it is made of, not what it is for. */
function withoutTypeName(schema: JsonSchema, reference: string): JsonSchema {
  if (schema.title === undefined || schema.title !== decodePointer(reference.split('/').at(-1) ?? ''))
    return schema
  const { title: _, ...rest } = schema
  return rest
}

/** Every shape that a value may have here: `anyOf` and `oneOf` expanded, each flattened. */
export function listAlternatives(
  root: JsonSchema,
  schema: JsonSchema | boolean | undefined,
  hops = 0,
): JsonSchema[] {
  const flat = hops > maxHops ? {} : flattenSchema(root, schema)
  const branches = (flat.anyOf ?? flat.oneOf)?.filter(isListed)
  if (!branches || hops > maxHops) return [flat]
  const { anyOf: _anyOf, oneOf: _oneOf, ...base } = flat
  return branches
    .flatMap((branch) => listAlternatives(root, branch, hops + 1))
    .slice(0, maxAlternatives)
    .map((branch) => mergeSchemas(base, branch))
}

function isListed(branch: JsonSchema | boolean): boolean {
  return typeof branch !== 'object' || branch.untold !== true
}

/** Both schemas combined, as far as it matters for names, types and texts; `more` wins. */
export function mergeSchemas(base: JsonSchema, more: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...base, ...more }
  if (base.properties && more.properties) {
    merged.properties = Object.assign(Object.create(null), base.properties, more.properties)
  }
  if (base.required && more.required) merged.required = [...new Set([...base.required, ...more.required])]
  return merged
}

/** The shape that says most about a place: the first alternative other than `null`. */
export function pickShape(root: JsonSchema, place: JsonSchema | boolean): JsonSchema {
  const alternatives = listAlternatives(root, place)
  return (
    alternatives.find((shape) => !listTypes(shape).every((type) => type === 'null')) ??
    flattenSchema(root, place)
  )
}

/** JSON types that a flat schema accepts; an empty list means any. */
export function listTypes(schema: JsonSchema): string[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type]
  if (schema.enum) return [...new Set(schema.enum.map(jsonTypeOf))]
  if (schema.const !== undefined) return [jsonTypeOf(schema.const)]
  if (schema.properties || schema.required) return ['object']
  if (schema.items !== undefined || schema.prefixItems) return ['array']
  return []
}

/** The values of an `enum` or `const`, if the schema has one. */
export function allowedValues(shape: JsonSchema): unknown[] | undefined {
  return shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
}

/** Every value that fits, if only listed ones do. */
export function listChoices(root: JsonSchema, place: JsonSchema | boolean): unknown[] | undefined {
  const shapes = listAlternatives(root, place).filter((shape) => listTypes(shape).join() !== 'null')
  const values = shapes.map(allowedValues)
  return values.length > 0 && values.every((list) => list !== undefined)
    ? [...new Set(values.flat())]
    : undefined
}

/** The JSON type of a value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** The schema of one array item. */
export function itemSchema(schema: JsonSchema, index: number): JsonSchema | boolean | undefined {
  const positional = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined)
  if (positional && index < positional.length) return positional[index]
  return Array.isArray(schema.items) ? undefined : schema.items
}

/** The declared schema for a path, from the first alternative that has it; `true` if there is none. */
export function schemaAt(root: JsonSchema, path: JsonPath): JsonSchema | boolean {
  let place: JsonSchema | boolean = root
  for (const key of path) {
    const found: (JsonSchema | boolean | undefined)[] = listAlternatives(root, place).map((shape) =>
      typeof key === 'number' ? itemSchema(shape, key) : memberSchema(shape, key),
    )
    place = found.find((part) => part !== undefined) ?? true
  }
  return place
}

/** `constructor` is not a member unless it is declared. */
function memberSchema({ properties = {} }: JsonSchema, name: string): JsonSchema | boolean | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The declared members of a flat object schema. */
export function declaredNames(schema: JsonSchema): string[] {
  return Object.keys(schema.properties ?? {})
}
