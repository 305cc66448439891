import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { findFormat } from './formats.ts'
import { listAlternatives, listTypes, tellType } from './resolve-schema.ts'
import { showValue } from './show-value.ts'

const listedValues = 12
const leastListed = 3
const listedCharacters = 140

/** The JSON types that fit, as words: `string`, `integer or null`; empty if anything fits. */
export function expectedTypes(root: JsonSchema, schema: JsonSchema | boolean): string[] {
  const types = new Set<string>()
  for (const shape of listAlternatives(root, schema)) {
    const accepted = listTypes(shape)
    if (accepted.length === 0) return []
    for (const type of accepted) types.add(type)
  }
  return [...types]
}

/** What fits a place, for one line of facts: `string, email`, `one of "a", "b"`, `integer from 1 to 5`. */
export function describeSchema(root: JsonSchema, schema: JsonSchema | boolean): string {
  return describeWith(facts, root, schema) || 'any value'
}

/** The same for people, never with a pattern: `a whole number from 1 to 5`, `a list, each text`; empty if anything fits. */
export function describeInWords(root: JsonSchema, schema: JsonSchema | boolean): string {
  return describeWith(plainWords, root, schema)
}

/** The names for shapes of values. */
interface Vocabulary {
  typeWord(type: string): string
  format(format: NonNullable<ReturnType<typeof findFormat>>, words: string): string
  pattern(shape: JsonSchema, words: string): string
  /** Between a list and its items. */
  each: string
}

const facts: Vocabulary = {
  typeWord: (type) => type,
  format: ({ name }, words) => `${words || 'string'}, ${name}`,
  pattern: ({ pattern }, words) => `${words || 'string'} matching ${pattern}`,
  each: ' of ',
}

const typeWords: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: '',
}

const plainWords: Vocabulary = {
  typeWord: typeInWords,
  format: ({ noun, example }) => `${/^[eI]/.test(noun) ? 'an' : 'a'} ${noun} like ${example}`,
  pattern: ({ examples: [example] = [] }, words) =>
    `${words || 'text'} ${example === undefined ? 'in the expected form' : `like ${showValue(example)}`}`,
  each: ', each ',
}

/** A JSON type in words for people: `a whole number`; empty for `null`. */
export function typeInWords(type: string): string {
  return typeWords[type] ?? type
}

function describeWith(words: Vocabulary, root: JsonSchema, schema: JsonSchema | boolean): string {
  const texts = listAlternatives(root, schema).map((shape) => describeShape(words, root, shape))
  return [...new Set(texts)].filter((text) => text !== '').join(' or ')
}

function describeShape(words: Vocabulary, root: JsonSchema, shape: JsonSchema): string {
  const allowed = allowedValues(shape)
  if (allowed) return `one of ${listValues(allowed)}`
  const types = listTypes(shape)
  const said = types.map(words.typeWord).filter(Boolean).join(' or ')
  if (types.includes('array')) {
    const items =
      typeof shape.items === 'object' && !Array.isArray(shape.items)
        ? describeWith(words, root, shape.items)
        : ''
    const needed = isObject(shape.contains) ? ` holding ${describeWith(words, root, shape.contains)}` : ''
    return said + (items && words.each + items) + needed + describeSize(shape)
  }
  const format = findFormat(shape)
  if (format && (said === '' || types.includes('string'))) return words.format(format, said)
  if (shape.pattern) return words.pattern(shape, said)
  return [said, bounds(shape)].filter(Boolean).join(' ') + describeSize(shape) + describeExclusion(shape)
}

/** What `not` rules out, if it is a list of values: ` other than "root"`. */
function describeExclusion({ not }: JsonSchema): string {
  const values = typeof not === 'object' ? allowedValues(not) : undefined
  return values ? ` other than ${listValues(values)}` : ''
}

/** The values of an `enum` or `const`, if the schema has one. */
export function allowedValues(shape: JsonSchema): unknown[] | undefined {
  return shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
}

/** `distinctItems` replaces `uniqueItems` if the compiled schema checks that itself. */
export function wantsDistinctItems(shape: JsonSchema): boolean {
  return shape.uniqueItems === true || shape.distinctItems === true
}

/** The values of a choice, as many as fit at a glance: `"a", "b", … (40)`. */
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

/** Generators write the bounds of number types, which mean nothing. */
function realBound(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}

function between(low: number | undefined, high: number | undefined, show: (bound: number) => string): string {
  if (low !== undefined && high !== undefined)
    return low === high ? `of ${show(low)}` : `from ${low} to ${show(high)}`
  if (low !== undefined) return `of at least ${show(low)}`
  return high === undefined ? '' : `of at most ${show(high)}`
}

/** The size limits of a list or an object: ` (at least 1 item)`. */
function describeSize(shape: JsonSchema): string {
  const items = between(shape.minItems, shape.maxItems, (bound) => count(bound, 'item'))
  const members = between(shape.minProperties, shape.maxProperties, (bound) => count(bound, 'member'))
  const size = (items || members).replace(/^(?:of|from) /, '')
  const parts = [size, wantsDistinctItems(shape) ? 'no duplicates' : ''].filter((part) => part !== '')
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

/** The type of a value in an error: `string`, `number`, `null`. */
export function showType(value: unknown): string {
  return value === undefined ? 'nothing' : tellType(value)
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
