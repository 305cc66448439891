import type { JsonSchema } from './json-schema.ts'
import { alternativesOf, typeOf, typesOf } from './resolve-schema.ts'
import { samplePattern } from './sample-pattern.ts'
import { showValue } from './show-value.ts'
import { statedExamples } from './stated-examples.ts'

const formatNames: Record<string, string> = {
  email: 'email',
  uri: 'URL',
  date: 'date like 2025-01-31',
  'date-time': 'date and time like 2025-01-31T09:30:00Z',
  uuid: 'UUID',
}

const listedValues = 12
const leastListed = 3
const listedCharacters = 140

/** The JSON types that fit, as words: `string`, `integer or null`; empty when anything fits. */
export function expectedTypes(root: JsonSchema, schema: JsonSchema | boolean): string[] {
  const types = new Set<string>()
  for (const shape of alternativesOf(root, schema)) {
    const accepted = typesOf(shape)
    if (accepted.length === 0) return []
    for (const type of accepted) types.add(type)
  }
  return [...types]
}

/** What belongs at a place, for one line of facts: `string, email`, `one of "a", "b"`, `integer from 1 to 5`. */
export function describeSchema(root: JsonSchema, schema: JsonSchema | boolean): string {
  const texts = alternativesOf(root, schema).map((shape) => describeShape(root, shape))
  return [...new Set(texts)].filter((text) => text !== '').join(' or ') || 'any value'
}

function describeShape(root: JsonSchema, shape: JsonSchema): string {
  const allowed = allowedValues(shape)
  if (allowed) return `one of ${listValues(allowed)}`
  const types = typesOf(shape)
  const words = types.join(' or ')
  if (types.includes('array')) {
    const items =
      typeof shape.items === 'object' && !Array.isArray(shape.items) ? describeSchema(root, shape.items) : ''
    return (items === '' || items === 'any value' ? words : `${words} of ${items}`) + sizeOf(shape)
  }
  const format = shape.format ? formatNames[shape.format] : undefined
  if (format) return `${words || 'string'}, ${format}`
  if (shape.pattern) return `${words || 'string'} matching ${shape.pattern}`
  return [words, bounds(shape)].filter(Boolean).join(' ')
}

const plainWords: Record<string, [one: string, many: string]> = {
  string: ['text', 'texts'],
  number: ['a number', 'numbers'],
  integer: ['a whole number', 'whole numbers'],
  boolean: ['true or false', 'true or false'],
  array: ['a list', 'lists'],
  object: ['an object', 'objects'],
  null: ['nothing', 'nothing'],
}

const namedAlternatives = 3
const namedMembers = 4

/** The same for a sentence: `a whole number from 1 to 5`, `a list of texts`, `text like "#W111"`. */
export function describeInWords(root: JsonSchema, schema: JsonSchema | boolean, many = false): string {
  const texts = alternativesOf(root, schema).map((shape) => shapeInWords(root, shape, many))
  const different = [...new Set(texts)].filter((text) => text !== '' && text !== 'nothing')
  return different.slice(0, namedAlternatives).join(' or ') || 'another value'
}

function shapeInWords(root: JsonSchema, shape: JsonSchema, many: boolean): string {
  const allowed = allowedValues(shape)
  if (allowed) return many ? listValues(allowed) : `one of ${listValues(allowed)}`
  const types = typesOf(shape).filter((type) => type !== 'null')
  const words = types.map((type) => plainWords[type]?.[many ? 1 : 0] ?? type).join(' or ')
  if (types.includes('array')) return `${words}${itemsInWords(root, shape)}${sizeOf(shape)}`
  if (types.includes('object')) return many ? words : words + membersInWords(shape)
  const format = shape.format === undefined ? undefined : formatsInWords[shape.format]
  if (format) return many ? format[1] : format[0]
  if (shape.pattern === undefined) return [words, bounds(shape)].filter(Boolean).join(' ')
  const sample = patternSample(shape)
  return sample === undefined
    ? `${words || 'text'} in the expected form`
    : `${words || 'text'} like ${showValue(sample)}`
}

const formatsInWords: Record<string, [one: string, many: string]> = {
  email: ['an email address', 'email addresses'],
  uri: ['a URL', 'URLs'],
  date: ['a date like 2025-01-31', 'dates like 2025-01-31'],
  'date-time': ['a date and time like 2025-01-31T09:30:00Z', 'dates and times like 2025-01-31T09:30:00Z'],
  uuid: ['a UUID', 'UUIDs'],
}

function itemsInWords(root: JsonSchema, { items }: JsonSchema): string {
  if (typeof items !== 'object' || Array.isArray(items)) return ''
  const allowed = allowedValues(items)
  return allowed ? ` of these: ${listValues(allowed)}` : ` of ${describeInWords(root, items, true)}`
}

function membersInWords({ properties = {}, required = [] }: JsonSchema): string {
  const names = (required.length > 0 ? required : Object.keys(properties)).slice(0, namedMembers)
  const [last, ...before] = names.map((name) => showValue(name)).reverse()
  if (last === undefined) return ''
  return ` with ${before.length > 0 ? `${before.reverse().join(', ')} and ` : ''}${last}`
}

/** A text that shows what a pattern wants. */
function patternSample(shape: JsonSchema): string | undefined {
  const pattern = new RegExp(shape.pattern ?? '', 'u')
  const stated = [...(shape.examples ?? []), ...statedExamples(shape)]
  const sample = stated.find((text) => typeof text === 'string' && pattern.test(text))
  return typeof sample === 'string' ? sample : samplePattern(shape.pattern ?? '')
}

/** The values of an `enum` or `const`, where the schema has one. */
export function allowedValues(shape: JsonSchema): unknown[] | undefined {
  return shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
}

/** `distinctItems` stands where the compiled schema checks `uniqueItems` itself. */
export function wantsDistinctItems(shape: JsonSchema): boolean {
  return shape.uniqueItems === true || shape.distinctItems === true
}

/** Values of a choice, as many as are read at a glance: `"a", "b", … (40)`. */
export function listValues(values: readonly unknown[], show: (value: unknown) => string = showValue): string {
  const texts: string[] = []
  let length = 0
  for (const value of values) {
    const text = show(value)
    length += text.length + 2
    if (texts.length >= leastListed && (length > listedCharacters || texts.length >= listedValues)) break
    texts.push(text)
  }
  const rest = values.length > texts.length ? `, … (${values.length})` : ''
  return texts.join(', ') + rest
}

function bounds(shape: JsonSchema): string {
  const range =
    (shape.minLength ?? shape.maxLength) === undefined
      ? between(realBound(shape.minimum), realBound(shape.maximum), (bound) => String(bound))
      : between(shape.minLength, shape.maxLength, (bound) => count(bound, 'character'))
  const parts = [range]
  if (typeof shape.exclusiveMinimum === 'number') parts.push(`above ${shape.exclusiveMinimum}`)
  if (typeof shape.exclusiveMaximum === 'number') parts.push(`below ${shape.exclusiveMaximum}`)
  if (shape.multipleOf !== undefined) parts.push(`a multiple of ${shape.multipleOf}`)
  return parts.filter((part) => part !== '').join(', ')
}

/** Generators write the bounds of what a number can hold, which bound nothing. */
function realBound(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}

function between(low: number | undefined, high: number | undefined, show: (bound: number) => string): string {
  if (low !== undefined && high !== undefined)
    return low === high ? `of ${show(low)}` : `from ${low} to ${show(high)}`
  if (low !== undefined) return `of at least ${show(low)}`
  return high === undefined ? '' : `of at most ${show(high)}`
}

/** How long a list may be: ` (at least 1 item)`. */
function sizeOf(shape: JsonSchema): string {
  const size = between(shape.minItems, shape.maxItems, (bound) => count(bound, 'item')).replace(
    /^(?:of|from) /,
    '',
  )
  const parts = [size, wantsDistinctItems(shape) ? 'no duplicates' : ''].filter((part) => part !== '')
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** The type of a value in an error: `string`, `number`, `null`. */
export function showType(value: unknown): string {
  return value === undefined ? 'nothing' : typeOf(value)
}

/** `must be a string, got number`. */
export function typeConstraint(expected: string[], actual: string): string {
  return `must be ${expected.map(withArticle).join(' or ')}, got ${actual}`
}

/** `a number from 1 to 5`, `an array of string`; `null` and `one of …` take no article. */
export function withArticle(expected: string): string {
  if (/^(?:string|number|boolean)\b/.test(expected)) return `a ${expected}`
  return /^(?:integer|array|object)\b/.test(expected) ? `an ${expected}` : expected
}
