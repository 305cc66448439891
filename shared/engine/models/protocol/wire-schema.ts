import type { JsonSchema } from '../../core/json-schema.ts'
import { describeSchema } from '../../schema/describe-schema.ts'
import { takesNumberOrDigits } from '../../schema/digit-format.ts'
import { listAlternatives } from '../../schema/resolve-schema.ts'

/** Keywords that only we read: they would cost tokens, and some servers refuse unknown ones. */
const ours = new Set([
  'question',
  'hint',
  'unfit',
  'short',
  'choices',
  'aliases',
  'source',
  'anyDepth',
  'json',
  '$schema',
])

/** Keywords whose members are schemas by name, so that a parameter called `source` is kept. */
const mapsOfSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** The schema without our own keywords, with a type and items where servers require them. */
export function simplifySchema(schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: {}, ...(withoutOurs(schema) as JsonSchema) }
}

function withoutOurs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOurs)
  if (typeof schema !== 'object' || schema === null) return schema
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (ours.has(keyword)) continue
    if (data.has(keyword)) result[keyword] = value
    else if (mapsOfSchemas.has(keyword) && typeof value === 'object' && value !== null) {
      result[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, member === true ? {} : withoutOurs(member)]),
      )
    } else result[keyword] = withoutOurs(value)
  }
  if (isDigits(schema as JsonSchema)) asText(result)
  // A hint describes a parameter well enough if there is no description.
  const { hint, type } = schema as JsonSchema
  if (result.description === undefined && typeof hint === 'string') result.description = hint
  if (type === 'array' || (Array.isArray(type) && type.includes('array')))
    result.items = describeItems(result)
  return result
}

/** Models, and the JSON readers of their servers, round numbers of more than 15 digits; a choice of numbers is never one. */
function isDigits(schema: JsonSchema): boolean {
  return takesNumberOrDigits(schema) && schema.enum === undefined && schema.const === undefined
}

/** A number as text, described in words: a type of text has no bounds, and few servers know these formats. */
function asText(result: Record<string, unknown>): void {
  const types = [result.type].flat()
  const [isWhole, isOptional] = [types.includes('integer'), types.includes('null')]
  const bounds = describeSchema({}, { ...result, type: isWhole ? 'integer' : 'number' }).replace(
    /^(?:integer|number)/,
    isWhole ? 'a whole number' : 'a number',
  )
  const said = result.description === undefined ? '' : `${result.description} `
  for (const keyword of numeric) delete result[keyword]
  Object.assign(result, {
    type: isOptional ? ['string', 'null'] : 'string',
    description: `${said}(The digits of ${bounds}.)`,
  })
}

const numeric = ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** OpenAI answers 400 to an array without `items`, and to a list of schemas there. */
function describeItems({ items, prefixItems }: Record<string, unknown>): unknown {
  const list = Array.isArray(items) ? items : items === undefined ? prefixItems : undefined
  if (Array.isArray(list) && list.length > 0) return { anyOf: list }
  return items === undefined || Array.isArray(items) ? {} : items
}

/** What OpenAI and Anthropic refuse at the top level of a tool's schema. */
const refusedAtRoot = ['$ref', 'enum', 'const', 'not', 'allOf', 'anyOf', 'oneOf']

/**
 * The schema as an object with its properties at the top level, as OpenAI and Anthropic want it. Alternatives are
 * merged; our own validation still tells them apart.
 *
 * @example
 * flattenRoot({ oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] })
 * // => { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: [] }
 */
export function flattenRoot(schema: JsonSchema): JsonSchema {
  const special = refusedAtRoot.some((keyword) => keyword in schema)
  if (!special) return schema.type === 'object' ? schema : { ...schema, type: 'object' }
  const shapes = listAlternatives(schema, schema)
  const properties: Record<string, JsonSchema | boolean> = {}
  for (const shape of shapes) {
    for (const [name, member] of Object.entries(shape.properties ?? {})) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      properties[name] = known === undefined ? member : either(known, member)
    }
  }
  const kept = Object.entries(schema).filter(([keyword]) => !refusedAtRoot.includes(keyword))
  const required = Object.keys(properties).filter((name) =>
    shapes.every((shape) => shape.required?.includes(name)),
  )
  return { ...Object.fromEntries(kept), type: 'object', properties, required }
}

function either(one: JsonSchema | boolean, other: JsonSchema | boolean): JsonSchema | boolean {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  return { anyOf: [...(typeof one === 'object' && one.anyOf ? one.anyOf : [one]), other] }
}
