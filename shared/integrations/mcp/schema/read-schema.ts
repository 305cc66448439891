import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { isObject } from '../../../engine/core/json-value.ts'
import { storableJson } from '../../../engine/core/storable-json.ts'
import { isForbiddenKey } from '../../../engine/reading/value-limits.ts'
import { digitFormats } from '../../../engine/schema/digit-format.ts'
import { normaliseSchema } from '../../../engine/schema/normalise-schema.ts'
import { plainTitle, plainWords } from '../../text/plain-words.ts'
import { isSafePattern } from './safe-pattern.ts'
import { SchemaError } from './schema-error.ts'

/** Levels of a schema, and its places and values together: three times as many as in the largest one that was recorded. */
const deepest = 48
const mostPlaces = 6_000
/** Characters of the words of one parameter. */
const longestTitle = 100
const longestDescription = 4_000
const mostExamples = 10

/** Places and values that may still be read of one server's list. */
export interface Budget {
  places: number
}

export interface ReadSchema {
  schema: JsonSchema
  /** It says more about what it takes than was read. */
  isLoose: boolean
}

/**
 * A copy of a server's schema with all that is understood here, and nothing else: whatever is left out (a wrong keyword, a
 * pattern that could take minutes, a reference to elsewhere) makes it accept more, never less. So are the keywords by which
 * our own tools say who answers for a value, which are not a server's to say. Throws SchemaError.
 */
export function readSchema(given: unknown, budget: Budget): ReadSchema {
  const isOld = isObject(given) && /draft-0[3-7]/.test(String(given.$schema))
  const reader = new SchemaReader(isOld, budget)
  const schema = reader.read(given, 0)
  if (typeof schema === 'boolean') throw new SchemaError('foreign_tool_takes_no_object')
  return { schema, isLoose: reader.isLoose }
}

type Read = (reader: SchemaReader, value: unknown, depth: number) => unknown

const readSubschema: Read = (reader, value, depth) =>
  isObject(value) || typeof value === 'boolean' ? reader.read(value, depth + 1) : undefined
const readSubschemas: Read = (reader, value, depth) =>
  Array.isArray(value) && value.length > 0 ? value.map((one) => reader.read(one, depth + 1)) : undefined
const readMap: Read = (reader, value, depth) =>
  isObject(value) ? reader.readMap(value, (one) => reader.read(one, depth + 1)) : undefined
const readCount: Read = (_, value) => (typeof value === 'number' && value >= 0 ? value : undefined)
const readBound: Read = (_, value) => (Number.isFinite(value) || value === true ? value : undefined)
/** Without those that no call may have. */
const readNames: Read = (reader, value) => {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) return undefined
  const names = [...new Set(value)].filter((name) => !isForbiddenKey(name, undefined))
  reader.isLoose ||= names.length < value.length
  return names
}
const readRule: Read = (_, value) => (typeof value === 'boolean' ? value : undefined)

/** Keywords that say what fits. */
const rules = new Map<string, Read>(
  Object.entries({
    ...together('contains propertyNames additionalItems unevaluatedItems', readSubschema),
    ...together('unevaluatedProperties additionalProperties not if then else', readSubschema),
    ...together('allOf anyOf oneOf prefixItems', readSubschemas),
    ...together('properties $defs definitions dependentSchemas', readMap),
    ...together('minLength maxLength minItems maxItems minProperties maxProperties', readCount),
    ...together('minContains maxContains', readCount),
    ...together('minimum maximum exclusiveMinimum exclusiveMaximum', readBound),
    multipleOf: (_, value) => (typeof value === 'number' && value > 0 ? value : undefined),
    uniqueItems: readRule,
    // Of OpenAPI.
    nullable: (reader, value) => {
      reader.isLoose ||= value === true
      return readRule(reader, value, 0)
    },
    required: readNames,
    type: (reader, value) => {
      const names = new Set([value].flat())
      const { type } = normaliseSchema({ type: value }) as JsonSchema
      const read = [type ?? []].flat()
      // As of other languages: what is meant fits more than what is said.
      if (read.some((name) => !names.has(name))) reader.isLoose = true
      return read.length === names.size ? type : undefined
    },
    items: (reader, value, depth) =>
      (Array.isArray(value) ? readSubschemas : readSubschema)(reader, value, depth),
    enum: (reader, value) => (Array.isArray(value) && value.length > 0 ? reader.readValue(value) : undefined),
    const: (reader, value) => reader.readValue(value),
    pattern: (_, value) => (typeof value === 'string' && isSafePattern(value) ? value : undefined),
    patternProperties: (reader, value, depth) =>
      isObject(value) && Object.keys(value).every(isSafePattern) ? readMap(reader, value, depth) : undefined,
    dependentRequired: (reader, value) =>
      isObject(value) ? reader.readMap(value, (names) => readNames(reader, names, 0)) : undefined,
    $ref: (reader, value) =>
      typeof value === 'string' && value.startsWith('#') && !reader.isElsewhere ? value : undefined,
    // Of older and newer drafts, and of other documents.
    ...together('$dynamicRef $recursiveRef extends disallow divisibleBy', () => undefined),
  }),
)

/** Keywords for people and models. */
const words = new Map<string, Read>(
  Object.entries({
    title: (_, value) => plainTitle(value, longestTitle) || undefined,
    description: (_, value) => plainWords(value, longestDescription).text || undefined,
    default: (reader, value) => storable(reader.readValue(value)),
    examples: (reader, value) =>
      Array.isArray(value) ? storable(reader.readValue(value.slice(0, mostExamples))) : undefined,
    $anchor: (_, value) => (typeof value === 'string' ? value : undefined),
    // A number in a text is what the server says it is, with all its characters.
    format: (_, value) =>
      typeof value === 'string' && !Object.hasOwn(digitFormats, value)
        ? plainTitle(value, longestTitle)
        : undefined,
    writeOnly: (_, value) => value === true || undefined,
  }),
)

function together(names: string, read: Read): Record<string, Read> {
  return Object.fromEntries(names.split(' ').map((name) => [name, read]))
}

function storable(value: unknown): unknown {
  const json = JSON.stringify(value)
  return json !== undefined && storableJson(json) === json ? value : undefined
}

/** Formats without a meaning of their own: empty text is one of their values. */
const knownFormats =
  /^(?:date|time|date-time|duration|(?:idn-)?email|(?:idn-)?hostname|ipv[46]|(?:uri|iri)(?:-reference)?|uuid|uri-template|(?:relative-)?json-pointer|regex)$/

const besideReference = /^(?:\$ref|\$defs|definitions)$/

class SchemaReader {
  isLoose = false
  /** In a document of its own (`$id`), references start from there. */
  isElsewhere = false
  private places = 0
  private readonly isOld: boolean
  private readonly budget: Budget

  constructor(isOld: boolean, budget: Budget) {
    this.isOld = isOld
    this.budget = budget
  }

  read(given: unknown, depth: number): JsonSchema | boolean {
    this.count()
    if (typeof given === 'boolean') return given
    if (!isObject(given) || depth > deepest) {
      this.isLoose = true
      return {}
    }
    const wasElsewhere = this.isElsewhere
    if (depth > 0 && typeof given.$id === 'string') this.isElsewhere = true
    const copy = this.readKeywords(given, depth)
    this.isElsewhere = wasElsewhere
    // What its names were is not known any more, so any may stand there.
    if (given.patternProperties !== undefined && copy.patternProperties === undefined)
      delete copy.additionalProperties
    // Then its values are those of the items.
    if (copy.type === 'array' && copy.enum && !copy.enum.some(Array.isArray)) this.isLoose = true
    const isOddFormat = typeof copy.format === 'string' && !knownFormats.test(copy.format)
    if (isOddFormat && copy.minLength === undefined) copy.minLength = 0
    return copy
  }

  private readKeywords(given: Record<string, unknown>, depth: number): JsonSchema {
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries(withDependencies(given))) {
      // Until draft 07, nothing beside a reference counts.
      const counts = !(this.isOld && typeof given.$ref === 'string') || besideReference.test(keyword)
      const rule = counts ? rules.get(keyword) : undefined
      const read = (rule ?? words.get(keyword))?.(this, value, depth)
      if (read !== undefined) copy[keyword] = read
      else if (rule && value !== undefined && value !== null && value !== false) this.isLoose = true
    }
    return copy
  }

  readMap(map: Record<string, unknown>, read: (value: unknown) => unknown): Record<string, unknown> {
    const members = Object.entries(map).flatMap(([name, value]) => {
      this.count()
      // No call may have it.
      if (isForbiddenKey(name, value)) return []
      const member = read(value)
      if (member === undefined) this.isLoose = true
      return member === undefined ? [] : [[name, member] as const]
    })
    return Object.fromEntries(members)
  }

  /** A value as JSON has it. */
  readValue(value: unknown, depth = 0): unknown {
    this.count()
    if (depth > deepest) throw new SchemaError('foreign_tool_too_large')
    if (Array.isArray(value)) return value.map((item) => this.readValue(item, depth + 1) ?? null)
    if (isObject(value)) return this.readMap(value, (member) => this.readValue(member, depth + 1) ?? null)
    const isPlain = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
    return isPlain ? value : undefined
  }

  private count(): void {
    this.places++
    this.budget.places--
    if (this.places > mostPlaces || this.budget.places < 0) throw new SchemaError('foreign_tool_too_large')
  }
}

/** Draft 07's `dependencies`, which are names or schemas, in today's form. */
function withDependencies(given: Record<string, unknown>): Record<string, unknown> {
  const { dependencies, ...rest } = given
  if (!isObject(dependencies)) return given
  const pick = (areNames: boolean) =>
    Object.fromEntries(Object.entries(dependencies).filter(([, one]) => Array.isArray(one) === areNames))
  return {
    ...rest,
    dependentRequired: Object.assign({}, rest.dependentRequired, pick(true)),
    dependentSchemas: Object.assign({}, rest.dependentSchemas, pick(false)),
  }
}
