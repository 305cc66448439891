import type { JsonSchema } from '../../core/json-schema.ts'
import {
  flattenSchema,
  jsonTypeOf,
  listTypes,
  mergeSchemas,
  resolveReference,
} from '../../schema/resolve-schema.ts'

/** Keywords of Google's `Schema` type that mean the same in JSON Schema: https://ai.google.dev/api/caching#Schema. */
const shared: readonly string[] = [
  'title',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
]

/** The only formats of a string that Google accepts. */
const formats = ['date-time']

/**
 * The schema in the subset of OpenAPI 3.0 that Gemini reads; it refuses a whole request for one unknown keyword.
 * Whatever cannot be expressed is left out or put into the description: our own validation checks it afterwards.
 * Undefined for an object without properties, which Gemini wants as no schema at all.
 *
 * @example
 * toOpenApiSchema({ type: 'object', properties: { n: { type: 'integer', exclusiveMinimum: 0 } }, additionalProperties: false })
 * // => { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
 */
export function toOpenApiSchema(root: JsonSchema): JsonSchema | undefined {
  const document: Document = { root, left: mostPlaces }
  return Object.keys(root.properties ?? {}).length === 0 ? undefined : convert(root, document, [])
}

interface Document {
  root: JsonSchema
  /** Places that may still be written out. */
  left: number
}

/** Places that are written out: alternatives that hold each other would have no end in practice. */
const mostPlaces = 2_000
const mostAlternatives = 24

function convert(
  schema: JsonSchema | boolean | undefined,
  document: Document,
  references: readonly string[],
  isInList = false,
): JsonSchema {
  if (typeof schema !== 'object') return isInList ? anyItem : anything
  const { root } = document
  const target = schema.$ref === undefined ? undefined : resolveReference(root, schema.$ref)
  // A recursive schema ends here: Gemini has no references.
  if (endsAt(schema, references) || document.left-- <= 0) return endOf(root, schema)
  const found = findShapes(root, schema, references)
  const shapes = found.map(({ shape }) => shape)
  const valued = shapes.filter((shape) => !isNull(shape))
  const nullable = valued.length < shapes.length || valued.some(allowsNull)
  if (valued.some(isAnything)) {
    const { title, description } = valued[0] ?? {}
    const words = { ...(title && { title }), ...(description && { description }) }
    return { ...(isInList ? anyItem : anything), ...words }
  }
  const each = found
    .filter(({ shape }) => !isNull(shape))
    .flatMap(({ shape, inside }) => oneTyped(shape).map((one) => convertShape(one, document, inside)))
  const [only = { type: 'string' }, ...others] = unique(each)
  const description = schema.description ?? (typeof target === 'object' ? target.description : undefined)
  return {
    ...(others.length === 0 ? only : { anyOf: [only, ...others] }),
    ...(description !== undefined && others.length > 0 ? { description } : {}),
    ...(nullable ? { nullable: true } : {}),
  }
}

/** A shape, and the references that led to it. */
interface FoundShape {
  shape: JsonSchema
  inside: readonly string[]
}

/** Every shape that a value may have here; one that would hold itself has only its type. */
function findShapes(root: JsonSchema, schema: JsonSchema, references: readonly string[]): FoundShape[] {
  const inside = [...references, ...referencesOf(schema)]
  const { anyOf, oneOf, ...base } = flattenSchema(root, schema)
  const branches = anyOf ?? oneOf
  if (!branches) return [{ shape: base, inside }]
  const shapes = branches.flatMap((branch): FoundShape[] => {
    if (typeof branch !== 'object') return [{ shape: base, inside }]
    if (branch.untold) return []
    if (endsAt(branch, inside)) return [{ shape: mergeSchemas(base, endOf(root, branch)), inside }]
    const found = findShapes(root, branch, inside)
    return found.map((one) => ({ ...one, shape: mergeSchemas(base, one.shape) }))
  })
  return shapes.slice(0, mostAlternatives)
}

/** The references that a shape is made of. */
function referencesOf({ $ref, allOf = [] }: JsonSchema): string[] {
  const inParts = allOf.flatMap((part) => (typeof part === 'object' ? referencesOf(part) : []))
  return $ref === undefined ? inParts : [$ref, ...inParts]
}

function endsAt(schema: JsonSchema, references: readonly string[]): boolean {
  return referencesOf(schema).some((reference) => references.includes(reference))
}

function endOf(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const type = listTypes(flattenSchema(root, schema)).find((one) => one !== 'null') ?? 'object'
  return type === 'array' ? { type, items: anyItem } : { type }
}

/** Gemini wants types: every one of them. */
const someTypes = ['string', 'number', 'boolean'].map((type) => ({ type }))
/** Lists in lists end here. */
const anyItem: JsonSchema = { anyOf: [...someTypes, { type: 'object' }] }
const anything: JsonSchema = {
  anyOf: [{ type: 'object' }, { type: 'array', items: anyItem }, ...someTypes],
}

const aboutText = ['pattern', 'format', 'statedFormat', 'minLength', 'maxLength']

function isAnything(shape: JsonSchema): boolean {
  return listTypes(shape).length === 0 && !aboutText.some((keyword) => keyword in shape)
}

/** A shape with one type and neither references nor alternatives. */
function convertShape(shape: JsonSchema, document: Document, references: readonly string[]): JsonSchema {
  const type = listTypes(shape)[0] ?? 'string'
  const result: JsonSchema = { type }
  for (const keyword of shared) if (shape[keyword] !== undefined) result[keyword] = shape[keyword]
  if (shape.format !== undefined && formats.includes(shape.format)) result.format = shape.format
  const notes = [shape.description, addBounds(shape, type, result), addValues(shape, type, result)]
  const description = notes.filter((note) => note !== undefined).join(' ')
  if (description !== '') result.description = description
  if (type === 'array') result.items = convert(readItems(shape), document, references, true)
  if (type === 'object' && shape.properties !== undefined) {
    const members = Object.entries(shape.properties).filter(([, member]) => member !== false)
    result.properties = Object.fromEntries(
      members.map(([name, member]) => [name, convert(member, document, references)]),
    )
    const required = shape.required?.filter((name) => members.some(([known]) => known === name)) ?? []
    if (required.length > 0) result.required = required
  }
  return result
}

function readItems({ items }: JsonSchema): JsonSchema | boolean | undefined {
  return Array.isArray(items) ? undefined : items
}

/** Exclusive bounds of an integer become the next integer; of a number they become words. */
function addBounds(shape: JsonSchema, type: string, result: JsonSchema): string | undefined {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = shape
  if (type === 'integer') {
    if (typeof above === 'number') result.minimum = Math.floor(above) + 1
    if (typeof below === 'number') result.maximum = Math.ceil(below) - 1
    return undefined
  }
  const words = [
    ...(typeof above === 'number' ? [`more than ${above}`] : []),
    ...(typeof below === 'number' ? [`less than ${below}`] : []),
  ]
  return words.length === 0 ? undefined : `Must be ${words.join(' and ')}.`
}

/** Only strings may have an `enum`: other values become words. */
function addValues(shape: JsonSchema, type: string, result: JsonSchema): string | undefined {
  const values = (shape.enum ?? (shape.const === undefined ? [] : [shape.const])).filter(
    (value) => value !== null && (jsonTypeOf(value) === type || type !== 'string'),
  )
  if (values.length === 0) return undefined
  if (type === 'string') {
    result.enum = values
    return undefined
  }
  return `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`
}

function oneTyped(shape: JsonSchema): JsonSchema[] {
  const types = listTypes(shape).filter((type) => type !== 'null')
  return types.length > 1
    ? types.map((type) => ({ ...shape, type }))
    : [{ ...shape, type: types[0] ?? 'string' }]
}

function isNull(shape: JsonSchema): boolean {
  const types = listTypes(shape)
  return types.length > 0 && types.every((type) => type === 'null')
}

function allowsNull(shape: JsonSchema): boolean {
  return listTypes(shape).includes('null')
}

function unique(schemas: readonly JsonSchema[]): JsonSchema[] {
  const texts = schemas.map((schema) => JSON.stringify(schema))
  return schemas.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}
