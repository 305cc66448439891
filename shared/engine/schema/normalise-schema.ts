import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { tellType } from './resolve-schema.ts'

/** Formats that are checked; any other is an annotation. */
const checkedFormats = new Set(['email', 'uri', 'date', 'date-time', 'uuid'])

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** Type names of other languages, as tool catalogues have them. */
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

const schemaKeywords = new Set([
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const schemaListKeywords = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf'])
const schemaMapKeywords = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
])
const numberKeywords = new Set([
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
])
const constantKeywords = new Set(['const', 'type', 'title', 'description'])
const textKeywords = new Set(['$anchor', 'title', 'description', 'question', 'hint', 'source'])
const listKeywords = new Set(['examples', 'aliases'])

/** Schemas nest by hand; deeper is a mistake or an attack, and checks nothing. */
const maxDepth = 64

/**
 * A copy that the validator can take without a surprise: no prototypes in the maps (an argument named `constructor`
 * is undeclared), JSON's type names, `nullable` and draft-04 bounds in today's form, regular expressions that compile,
 * references inside the document only, unknown keywords gone.
 */
export function normaliseSchema(schema: unknown, depth = 0): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema) || depth > maxDepth) return {}
  const copy: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) copyKeyword(copy, keyword, value, depth)
  readDraft04Bounds(copy, schema)
  readConstants(copy)
  if (schema.nullable === true) allowNull(copy)
  if (schema.format === 'password' || schema.writeOnly === true) copy.secret = true
  giveEnumToItems(copy)
  return copy
}

function copyKeyword(copy: JsonSchema, keyword: string, value: unknown, depth: number): void {
  if (keyword === 'additionalProperties' && value === true) return
  if (schemaKeywords.has(keyword)) {
    if (isObject(value) || typeof value === 'boolean') copy[keyword] = normaliseSchema(value, depth + 1)
  } else if (schemaListKeywords.has(keyword)) {
    if (Array.isArray(value) && value.length > 0)
      copy[keyword] = value.map((item) => normaliseSchema(item, depth + 1))
  } else if (schemaMapKeywords.has(keyword)) {
    if (isObject(value)) copy[keyword] = normaliseMap(keyword, value, depth)
  } else if (numberKeywords.has(keyword)) {
    if (typeof value === 'number') copy[keyword] = value
  } else if (textKeywords.has(keyword)) {
    if (typeof value === 'string') copy[keyword] = value
  } else if (listKeywords.has(keyword)) {
    if (Array.isArray(value)) copy[keyword] = value
  } else {
    copyOther(copy, keyword, value, depth)
  }
}

function copyOther(copy: JsonSchema, keyword: string, value: unknown, depth: number): void {
  switch (keyword) {
    case 'type': {
      const types = (Array.isArray(value) ? value : [value])
        .map(jsonType)
        .filter((type) => type !== undefined)
      if (types.length > 0) copy.type = types.length === 1 ? types[0] : types
      break
    }
    case 'items':
      copy.items = Array.isArray(value)
        ? value.map((item) => normaliseSchema(item, depth + 1))
        : normaliseSchema(value, depth + 1)
      break
    case 'enum':
      if (Array.isArray(value) && value.length > 0) copy.enum = value
      break
    case 'required':
      if (Array.isArray(value)) copy.required = value.filter((name) => typeof name === 'string')
      break
    case 'dependentRequired':
      if (isObject(value)) copy.dependentRequired = listsOnly(value)
      break
    case 'dependencies':
      copyDependencies(copy, value, depth)
      break
    case 'format':
      if (typeof value === 'string') copy[checkedFormats.has(value) ? 'format' : 'statedFormat'] = value
      break
    case 'pattern':
      if (typeof value === 'string') {
        const pattern = unicodePattern(value)
        if (pattern !== undefined) copy.pattern = pattern
      }
      break
    case '$ref':
      if (typeof value === 'string' && value.startsWith('#')) copy.$ref = value
      break
    case 'uniqueItems':
      if (value === true) copy.uniqueItems = true
      break
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      if (typeof value === 'number') copy[keyword] = value
      break
    case 'const':
    case 'default':
      copy[keyword] = value
  }
}

function normaliseMap(
  keyword: string,
  map: Record<string, unknown>,
  depth: number,
): JsonSchema['properties'] {
  const copy = Object.create(null) as Record<string, JsonSchema | boolean>
  for (const [name, schema] of Object.entries(map)) {
    const key = keyword === 'patternProperties' ? unicodePattern(name) : name
    if (key !== undefined) copy[key] = normaliseSchema(schema, depth + 1)
  }
  return copy
}

function copyDependencies(copy: JsonSchema, value: unknown, depth: number): void {
  if (!isObject(value)) return
  const schemas = Object.entries(value).filter(([, dependency]) => !Array.isArray(dependency))
  copy.dependentRequired = listsOnly(value)
  copy.dependentSchemas = normaliseMap('dependentSchemas', Object.fromEntries(schemas), depth)
}

function listsOnly(map: Record<string, unknown>): Record<string, string[]> {
  const lists = Object.create(null) as Record<string, string[]>
  for (const [name, list] of Object.entries(map)) {
    if (Array.isArray(list)) lists[name] = list.filter((item) => typeof item === 'string')
  }
  return lists
}

function jsonType(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const lower = name.toLowerCase()
  return jsonTypes.has(lower) ? lower : foreignTypes.get(lower)
}

/** The pattern as the `u` flag wants it; patterns written without that flag escape too much. */
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

/** `anyOf: [{ const: 'a' }, { const: 'b' }]`, a union of literals, is an enumeration; its values give it a type. */
function readConstants(copy: JsonSchema): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const values = copy[keyword]?.map(readConstant)
    if (copy.enum || !values || values.includes(undefined) || new Set(values).size < values.length) continue
    copy.enum = values
    delete copy[keyword]
  }
  const [type, another] = new Set(copy.enum?.map(tellType))
  if (copy.type === undefined && type !== undefined && another === undefined) copy.type = type
}

/** The one text, number or boolean that a branch allows, if it says nothing else. */
function readConstant(branch: JsonSchema | boolean): unknown {
  if (typeof branch !== 'object' || !Object.keys(branch).every((keyword) => constantKeywords.has(keyword)))
    return undefined
  const fitsType = branch.type === undefined || branch.type === tellType(branch.const)
  return fitsType && typeof branch.const !== 'object' ? branch.const : undefined
}

/** An `enum` beside `type: array` that lists no array means the items; taken at its word, nothing would be valid. */
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
