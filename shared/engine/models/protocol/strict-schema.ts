import type { JsonSchema } from '../../core/json-schema.ts'

/** Keywords a strict schema may carry; source: https://platform.openai.com/docs/guides/structured-outputs. */
const supported = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
])

/** Keywords that only narrow or explain: left out here, checked by our own validation afterwards. */
const negligible = new Set(['minLength', 'maxLength', 'uniqueItems', 'default', 'examples'])

const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])

/**
 * The schema in OpenAI's strict form, or undefined where that form cannot say the same.
 *
 * Strict mode wants every property in `required`. An optional one stays optional: it may be null, and a null
 * for an optional parameter is removed when the call is prepared. Where null already means something of its
 * own, or a map or a `oneOf` is declared, there is no strict form.
 *
 * @example
 * const strict = toStrictSchema({ type: 'object', properties: { q: { type: 'string' }, n: { type: 'integer' } }, required: ['q'] })
 * strict?.properties?.n // => { type: ['integer', 'null'] }
 * strict?.required // => ['q', 'n']
 * toStrictSchema({ type: 'object', additionalProperties: { type: 'string' } }) // => undefined
 */
export function toStrictSchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema.anyOf !== undefined) return undefined
  return convert(schema)
}

function convert(schema: JsonSchema | boolean | undefined): JsonSchema | undefined {
  if (typeof schema !== 'object') return undefined
  const result: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (negligible.has(keyword)) continue
    if (!supported.has(keyword)) return undefined
    if (keyword === 'format' && !formats.has(value as string)) continue
    result[keyword] = value
  }
  const isObject = schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object'))
  if (schema.properties !== undefined || isObject) {
    const object = convertObject(schema)
    if (object === undefined) return undefined
    Object.assign(result, object)
  }
  if (schema.items !== undefined) {
    const items = Array.isArray(schema.items) ? undefined : convert(schema.items)
    if (items === undefined) return undefined
    result.items = items
  }
  if (schema.anyOf !== undefined) {
    const branches = schema.anyOf.map(convert)
    if (branches.includes(undefined)) return undefined
    result.anyOf = branches as JsonSchema[]
  }
  for (const keyword of ['$defs', 'definitions'] as const) {
    const definitions = schema[keyword]
    if (definitions === undefined) continue
    const converted = convertEach(definitions)
    if (converted === undefined) return undefined
    result[keyword] = converted
  }
  return saysSomething(result) ? result : undefined
}

function convertObject(schema: JsonSchema): JsonSchema | undefined {
  const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  if (open || schema.properties === undefined) return undefined
  const properties = convertEach(schema.properties)
  if (properties === undefined) return undefined
  for (const [name, property] of Object.entries(properties)) {
    if (schema.required?.includes(name)) continue
    const nullable = allowNull(property)
    if (nullable === undefined) return undefined
    properties[name] = nullable
  }
  return { properties, required: Object.keys(properties), additionalProperties: false }
}

function convertEach(schemas: Record<string, JsonSchema | boolean>): Record<string, JsonSchema> | undefined {
  const result: Record<string, JsonSchema> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const converted = convert(schema)
    if (converted === undefined) return undefined
    result[name] = converted
  }
  return result
}

/** Undefined where null already is a value: then null cannot stand for "not given". */
function allowNull(schema: JsonSchema): JsonSchema | undefined {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.includes('null') || schema.enum?.includes(null) || schema.const === null) return undefined
  if (schema.anyOf?.some((branch) => typeof branch === 'object' && allowNull(branch) === undefined)) {
    return undefined
  }
  if (types.length === 0 || schema.const !== undefined) {
    const { description, ...rest } = schema
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] }
  }
  return {
    ...schema,
    type: [...types, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  }
}

function saysSomething(schema: JsonSchema): boolean {
  return ['type', 'anyOf', '$ref', 'enum', 'const'].some((keyword) => schema[keyword] !== undefined)
}
