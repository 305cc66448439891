import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { digitFormats } from './digit-format.ts'
import { jsonTypeOf } from './resolve-schema.ts'

/** Formats that are checked; any other is an annotation. */
const checkedFormats = new Set(['email', 'uri', 'date', 'date-time', 'uuid', ...Object.keys(digitFormats)])

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** Type names of other languages, as found in tool catalogues. */
const foreignTypes = new Map(
  Object.entries({
    str: 'string',
    text: 'string',
    float: 'number',
    double: 'number',
    int: 'integer',
    long: 'integer',
    bool: 'boolean',
    list: 'array',
    tuple: 'array',
    dict: 'object',
    none: 'null',
  }),
)

/** Reads a keyword's value; `undefined` if it is invalid and the keyword is dropped. */
type Read = (value: unknown, depth: number) => unknown

const readSchema: Read = (value, depth) =>
  isObject(value) || typeof value === 'boolean' ? normaliseSchema(value, depth + 1) : undefined
const readSchemas: Read = (value, depth) =>
  Array.isArray(value) && value.length > 0 ? value.map((item) => normaliseSchema(item, depth + 1)) : undefined
const readMap: Read = (value, depth) =>
  isObject(value) ? mapSchemas(value, (schema) => normaliseSchema(schema, depth + 1)) : undefined
const readNumber: Read = (value) => (typeof value === 'number' ? value : undefined)
const readText: Read = (value) => (typeof value === 'string' ? value : undefined)
const readList: Read = (value) => (Array.isArray(value) ? value : undefined)
const readNames: Read = (value) =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
const readAnything: Read = (value) => value

const readers = new Map<string, Read>([
  ...together('additionalItems unevaluatedItems contains unevaluatedProperties propertyNames', readSchema),
  ...together('not if then else', readSchema),
  ...together('prefixItems allOf anyOf oneOf', readSchemas),
  ...together('$defs definitions properties dependentSchemas', readMap),
  ...together('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength', readNumber),
  ...together('minItems maxItems minProperties maxProperties minContains maxContains', readNumber),
  ...together('$anchor title description question hint unfit source', readText),
  ...together('examples aliases', readList),
  ...together('const default', readAnything),
  ['required', readNames],
  ['type', readTypes],
  ['additionalProperties', (value, depth) => (value === true ? undefined : readSchema(value, depth))],
  ['items', (value, depth) => (Array.isArray(value) ? readSchemas : readSchema)(value, depth)],
  ['enum', (value) => (Array.isArray(value) && value.length > 0 ? value : undefined)],
  ['dependentRequired', (value) => (isObject(value) ? mapSchemas(value, readNames) : undefined)],
  ['format', (value) => (checkedFormats.has(String(value)) ? value : undefined)],
  ['pattern', (value) => (typeof value === 'string' ? unicodePattern(value) : undefined)],
  ['patternProperties', (value, depth) => readMap(isObject(value) && withPatterns(value), depth)],
  ['$ref', (value) => (typeof value === 'string' && value.startsWith('#') ? value : undefined)],
  ...together('uniqueItems json', (value) => (value === true ? true : undefined)),
])

function together(keywords: string, read: Read): [string, Read][] {
  return keywords.split(' ').map((keyword) => [keyword, read])
}

const constantKeywords = new Set(['const', 'enum', 'type', 'title', 'description'])

/** Handwritten schemas are not nested deeper; beyond this it is a mistake or an attack, and nothing is checked. */
const maxDepth = 64

/**
 * A copy that holds no surprises for the validator: no prototypes in the maps (an argument named `constructor`
 * is undeclared), JSON's type names, `nullable` and draft-04 bounds in today's form, only valid regular expressions,
 * only references inside the document, and no unknown keywords.
 */
export function normaliseSchema(schema: unknown, depth = 0): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema) || depth > maxDepth) return {}
  const copy: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const read = readers.get(keyword)?.(value, depth)
    if (read !== undefined) copy[keyword] = read
  }
  readDependencies(copy, schema, depth)
  readDraft04Bounds(copy, schema)
  readConstants(copy)
  if (schema.nullable === true) allowNull(copy)
  if (typeof schema.format === 'string' && !copy.format) copy.statedFormat = schema.format
  if (schema.format === 'password' || schema.writeOnly === true) copy.secret = true
  giveEnumToItems(copy)
  if (schema.anyDepth === true) allowDepth(copy)
  return copy
}

function readTypes(value: unknown): string | string[] | undefined {
  const types = (Array.isArray(value) ? value : [value]).map(jsonType).filter((type) => type !== undefined)
  return types.length > 1 ? types : types[0]
}

/** A map without a prototype, without invalid members. */
function mapSchemas(map: Record<string, unknown>, read: (value: unknown, depth: number) => unknown): unknown {
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(map)) {
    const member = read(value, 0)
    if (member !== undefined) copy[name] = member
  }
  return copy
}

function withPatterns(map: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(map).map(([pattern, schema]) => [unicodePattern(pattern), schema])
  return Object.fromEntries(members.filter(([pattern]) => pattern !== undefined))
}

/** Draft 07's `dependencies` are names or schemas. */
function readDependencies(copy: JsonSchema, { dependencies }: Record<string, unknown>, depth: number): void {
  if (!isObject(dependencies)) return
  const schemas = Object.entries(dependencies).filter(([, dependency]) => !Array.isArray(dependency))
  Object.assign(copy, {
    dependentRequired: mapSchemas(dependencies, readNames),
    dependentSchemas: readMap(Object.fromEntries(schemas), depth),
  })
}

function jsonType(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const lower = name.toLowerCase()
  return jsonTypes.has(lower) ? lower : foreignTypes.get(lower)
}

/** The pattern in the form that the `u` flag requires; patterns written without that flag escape too much. */
function unicodePattern(pattern: string): string | undefined {
  for (const candidate of [pattern, pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, '$1')]) {
    try {
      new RegExp(candidate, 'u')
      return candidate
    } catch {}
  }
  return undefined
}

/** Draft 04 has `exclusiveMinimum: true` beside `minimum`. */
function readDraft04Bounds(copy: JsonSchema, schema: Record<string, unknown>): void {
  if (schema.exclusiveMinimum === true && copy.minimum !== undefined) {
    copy.exclusiveMinimum = copy.minimum
    delete copy.minimum
  }
  if (schema.exclusiveMaximum === true && copy.maximum !== undefined) {
    copy.exclusiveMaximum = copy.maximum
    delete copy.maximum
  }
}

/** `anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }]`, a union of literals, is an enum; its values give it a type. */
function readConstants(copy: JsonSchema): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const listed = copy[keyword]?.map(readConstant)
    if (copy.enum || !listed?.every((constants) => constants !== undefined)) continue
    const values = listed.flat()
    if (new Set(values).size < values.length || values.every((value) => value === null)) continue
    copy.enum = values
    delete copy[keyword]
  }
  const [type, another] = new Set(copy.enum?.map(jsonTypeOf))
  if (copy.type === undefined && type !== undefined && another === undefined) copy.type = type
}

/** The strings, numbers, booleans and nulls that a branch allows, if it says nothing else. */
function readConstant(branch: JsonSchema | boolean): unknown[] | undefined {
  if (typeof branch !== 'object' || !Object.keys(branch).every((keyword) => constantKeywords.has(keyword)))
    return undefined
  if (branch.type === 'null') return [null]
  const values = branch.const === undefined ? branch.enum : [branch.const]
  const isPlain = (value: unknown) =>
    (typeof value !== 'object' || value === null) &&
    (branch.type === undefined || branch.type === jsonTypeOf(value))
  return values?.every(isPlain) && !(branch.const !== undefined && branch.enum) ? values : undefined
}

/** An `enum` beside `type: array` without arrays in it is meant for the items; taken literally, nothing would be valid. */
function giveEnumToItems(copy: JsonSchema): void {
  if (copy.type !== 'array' || !copy.enum || copy.enum.some(Array.isArray)) return
  const { enum: values, items = {} } = copy
  if (Array.isArray(items)) return
  delete copy.enum
  copy.items = isObject(items) ? { enum: values, ...items } : items
}

function allowNull(copy: JsonSchema): void {
  if (typeof copy.type === 'string') copy.type = [copy.type, 'null']
  else if (Array.isArray(copy.type) && !copy.type.includes('null')) copy.type = [...copy.type, 'null']
  if (copy.enum && !copy.enum.includes(null)) copy.enum = [...copy.enum, null]
}

/** More dimensions than anybody writes by hand. */
const mostDimensions = 4

/** Lists in lists, all equally deep. */
function allowDepth(copy: JsonSchema): void {
  const { items } = copy
  if (copy.type !== 'array' || copy.anyOf || items === undefined || Array.isArray(items)) return
  const branches: JsonSchema[] = [{ items }]
  for (let inner = items; branches.length < mostDimensions; ) {
    inner = { type: 'array', items: inner }
    branches.push({ items: inner, untold: true })
  }
  delete copy.items
  copy.anyOf = branches
}
