import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import { listTypes } from '../../schema/resolve-schema.ts'
import { toOpenApiSchema } from './openapi-schema.ts'

/**
 * The schema in what every server takes: one type at each place, descriptions, properties, items, and the values of
 * texts. Of alternatives the properties are merged, or the first one stays. Our own validation knows the rest.
 *
 * @example
 * toPlainestSchema({ type: 'object', properties: { a: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] } } }, 5)
 * // => { type: 'object', properties: { a: { type: 'string' } } }
 */
export function toPlainestSchema(root: JsonSchema, depth: number): JsonSchema {
  return simplify(toOpenApiSchema(root) ?? { type: 'object', properties: {} }, depth)
}

function simplify(schema: JsonSchema, depth: number): JsonSchema {
  const { anyOf } = schema
  if (anyOf)
    return simplify(
      { ...joinAlternatives(anyOf.filter(isObject) as JsonSchema[]), ...describe(schema) },
      depth,
    )
  const { type, enum: values, properties, required, items } = schema
  const isOver = depth <= 1 && (properties !== undefined || isObject(items))
  const simple: JsonSchema = { type: type ?? 'string', ...describe(schema, isOver ? properties : undefined) }
  if (values) simple.enum = values
  if (type === 'array')
    simple.items = isOver
      ? { type: isObject(items) ? (items.type ?? 'string') : 'string' }
      : simplify((items ?? {}) as JsonSchema, depth - 1)
  if (properties && !isOver) {
    simple.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        name,
        simplify(isObject(member) ? member : {}, depth - 1),
      ]),
    )
    if (required) simple.required = required
  }
  return simple
}

/** What is cut away is named. */
function describe({ description }: JsonSchema, cut?: JsonSchema['properties']): JsonSchema {
  const members =
    cut && Object.keys(cut).length > 0 ? `An object with ${Object.keys(cut).join(', ')}.` : undefined
  const words = [description, members].filter((text) => text !== undefined).join(' ')
  return words === '' ? {} : { description: words }
}

function joinAlternatives(shapes: readonly JsonSchema[]): JsonSchema {
  const objects = shapes.filter(({ properties }) => properties !== undefined)
  const [first = {}] = shapes
  if (objects.length < shapes.length) return first
  const properties = Object.assign({}, ...objects.toReversed().map((shape) => shape.properties))
  const required = Object.keys(properties).filter((name) =>
    objects.every((shape) => shape.required?.includes(name)),
  )
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** Keywords with one schema, with a list of schemas, and with schemas by name. */
const single = ['items', 'additionalProperties', 'contains', 'then', 'else']
const branches = ['anyOf', 'oneOf', 'allOf']
const byName = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** The schema with each schema inside of it replaced. */
function mapInside(
  schema: JsonSchema,
  change: (inner: JsonSchema, keyword: string) => JsonSchema,
): JsonSchema {
  const result: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = (one: unknown) => (isObject(one) ? change(one, keyword) : one)
    if (single.includes(keyword)) result[keyword] = inner(value)
    else if (branches.includes(keyword) && Array.isArray(value)) result[keyword] = value.map(inner)
    else if (byName.includes(keyword) && isObject(value)) {
      result[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
    } else result[keyword] = value
  }
  return result
}

/**
 * The schema with a type at every place, but never beside alternatives: there each of them has it.
 *
 * @example
 * toTypedSchema({ type: 'object', properties: { a: { type: 'number', anyOf: [{ const: 1 }, { minimum: 9 }] }, b: {} } })
 * // => { type: 'object', properties: { a: { anyOf: [{ const: 1, type: 'number' }, { minimum: 9, type: 'number' }] }, b: { type: 'string' } } }
 */
export function toTypedSchema(schema: JsonSchema, inherited?: JsonSchema['type']): JsonSchema {
  const own = schema.type ?? (schema.properties ? 'object' : inherited)
  const typed = mapInside(schema, (inner, keyword) =>
    toTypedSchema(inner, branches.includes(keyword) ? own : undefined),
  )
  if (branches.some((keyword) => keyword in schema)) {
    delete typed.type
    return typed
  }
  if (schema.$ref === undefined) typed.type = own ?? listTypes(schema)[0] ?? 'string'
  return typed
}

/** The schema with at most so many levels; of what is cut away the names of its members are said. */
export function cutSchema(schema: JsonSchema, depth: number): JsonSchema {
  if (depth > 1)
    return mapInside(schema, (inner, keyword) =>
      cutSchema(inner, keyword === '$defs' || keyword === 'definitions' ? depth : depth - 1),
    )
  const { properties } = schema
  const isDeeper =
    properties !== undefined || isObject(schema.items) || branches.some((keyword) => keyword in schema)
  if (!isDeeper) return schema
  const type = listTypes(schema)[0] ?? 'object'
  return { type, ...describe(schema, properties), ...(type === 'array' ? { items: { type: 'string' } } : {}) }
}
