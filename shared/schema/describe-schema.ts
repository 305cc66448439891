import type { JsonSchema } from './json-schema.ts'
import { alternativesOf, typeOf, typesOf } from './resolve-schema.ts'
import { samplePattern } from './sample-pattern.ts'
import { showValue } from './show-value.ts'

const formatNames: Record<string, string> = {
  email: 'email',
  uri: 'URL',
  date: 'date like 2025-01-31',
  'date-time': 'date and time like 2025-01-31T09:30:00Z',
  uuid: 'UUID',
}

const listedValues = 12

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
  string: ['a text', 'texts'],
  number: ['a number', 'numbers'],
  integer: ['a whole number', 'whole numbers'],
  boolean: ['true or false', 'true or false'],
  array: ['a list', 'lists'],
  object: ['an object', 'objects'],
  null: ['nothing', 'nothing'],
}

/** The same for a sentence: `a whole number from 1 to 5`, `a list of texts`, `a text like "#W111"`. */
export function describeInWords(root: JsonSchema, schema: JsonSchema | boolean, many = false): string {
  const texts = alternativesOf(root, schema).map((shape) => shapeInWords(root, shape, many))
  return [...new Set(texts)].filter((text) => text !== '').join(' or ') || 'another value'
}

function shapeInWords(root: JsonSchema, shape: JsonSchema, many: boolean): string {
  const words = typesOf(shape).map((type) => plainWords[type]?.[many ? 1 : 0] ?? type)
  if (typesOf(shape).includes('array') && typeof shape.items === 'object' && !Array.isArray(shape.items)) {
    const items = allowedValues(shape.items) ?? []
    const each =
      items.length > 0 ? `: ${listValues(items)}` : ` of ${describeInWords(root, shape.items, true)}`
    return `${words.join(' or ')}${each}${sizeOf(shape)}`
  }
  if (shape.pattern) {
    const sample = samplePattern(shape.pattern)
    return `${words.join(' or ') || 'a text'} ${sample === undefined ? `matching ${shape.pattern}` : `like ${showValue(sample)}`}`
  }
  return [words.join(' or '), bounds(shape)].filter(Boolean).join(' ') + sizeOf(shape)
}

/** The values of an `enum` or `const`, where the schema has one. */
export function allowedValues(shape: JsonSchema): unknown[] | undefined {
  return shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
}

/** `distinctItems` stands where the compiled schema checks `uniqueItems` itself. */
export function wantsDistinctItems(shape: JsonSchema): boolean {
  return shape.uniqueItems === true || shape.distinctItems === true
}

function listValues(values: unknown[]): string {
  const texts = values.slice(0, listedValues).map((value) => showValue(value))
  return values.length > listedValues ? `${texts.join(', ')}, … (${values.length})` : texts.join(', ')
}

function bounds(shape: JsonSchema): string {
  const range =
    (shape.minLength ?? shape.maxLength) === undefined
      ? between(shape.minimum, shape.maximum, (bound) => String(bound))
      : between(shape.minLength, shape.maxLength, (bound) => count(bound, 'character'))
  const parts = [range]
  if (typeof shape.exclusiveMinimum === 'number') parts.push(`above ${shape.exclusiveMinimum}`)
  if (typeof shape.exclusiveMaximum === 'number') parts.push(`below ${shape.exclusiveMaximum}`)
  if (shape.multipleOf !== undefined) parts.push(`a multiple of ${shape.multipleOf}`)
  return parts.filter((part) => part !== '').join(', ')
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

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
