import { findFormat } from '../../words/formats.ts'
import { listValues, showValue } from '../../words/list-values.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { plainTypes } from './digit-format.ts'
import { allowedValues, jsonTypeOf, listAlternatives, listTypes } from './resolve-schema.ts'
import { sketchShape } from './sketch-shape.ts'

/** A longer form says less than the words around it. */
const mostWidth = 100
const leastWidth = 40

/** The JSON types that fit, as words: `string`, `integer or null`; empty if anything fits. */
export function expectedTypes(root: JsonSchema, schema: JsonSchema | boolean): string[] {
  const types = new Set<string>()
  for (const shape of listAlternatives(root, schema)) {
    const accepted = plainTypes(shape)
    if (accepted.length === 0) return []
    for (const type of accepted) types.add(type)
  }
  return [...types]
}

/** What fits a place, for one line of facts: `string, email`, `one of "a", "b"`, `integer from 1 to 5`. */
export function describeSchema(root: JsonSchema, schema: JsonSchema | boolean): string {
  return describeWith(facts, root, schema) || 'any value'
}

/** The same for people, never with a pattern: `a whole number from 1 to 5`, `a list of texts`; empty if anything fits. */
export function describeInWords(root: JsonSchema, schema: JsonSchema | boolean): string {
  return describeWith(plainWords, root, schema)
}

type Format = NonNullable<ReturnType<typeof findFormat>>

/** The names for shapes of values. */
interface Vocabulary {
  typeWord(type: string): string
  /** The same for several: what is in a list. */
  typeWords(type: string): string
  format(format: Format, words: string, several: boolean): string
  pattern(shape: JsonSchema, words: string): string
  /** Between a list and the values that may stand in it. */
  eachOf: string
  /** Whether the members of an object are told. */
  tellsMembers: boolean
  /** Characters for the form of a list or an object. */
  width: number
}

const facts: Vocabulary = {
  typeWord: (type) => type,
  typeWords: (type) => type,
  format: ({ name }, words) => `${words || 'string'}, ${name}`,
  pattern: ({ pattern }, words) => `${words || 'string'} matching ${pattern}`,
  eachOf: ' of one of ',
  tellsMembers: false,
  width: mostWidth,
}

const typeWords: Record<string, [one: string, several: string]> = {
  string: ['text', 'texts'],
  number: ['a number', 'numbers'],
  integer: ['a whole number', 'whole numbers'],
  boolean: ['true or false', 'true or false values'],
  array: ['a list', 'lists'],
  object: ['an object', 'objects'],
  null: ['', ''],
}

const plainWords: Vocabulary = {
  typeWord: typeInWords,
  typeWords: (type) => typeWords[type]?.[1] ?? type,
  format: ({ noun, plural, example }, _, several) =>
    `${several ? plural : `${/^[eI]/.test(noun) ? 'an' : 'a'} ${noun}`} like ${example}`,
  pattern: ({ examples: [example] = [] }, words) =>
    `${words || 'text'} ${example === undefined ? 'in the expected form' : `like ${showValue(example)}`}`,
  eachOf: ' with any of ',
  tellsMembers: true,
  width: mostWidth,
}

/** A JSON type in words for people: `a whole number`; empty for `null`. */
function typeInWords(type: string): string {
  return typeWords[type]?.[0] ?? type
}

function describeWith(words: Vocabulary, root: JsonSchema, schema: JsonSchema | boolean): string {
  const shapes = listAlternatives(root, schema)
  return anyOf(shapes.map((shape) => describeShape({ ...words, width: widthFor(shapes) }, root, shape)))
}

/** Characters for the form of each of several. */
function widthFor(shapes: readonly JsonSchema[]): number {
  return Math.max(leastWidth, Math.min(mostWidth, (mostWidth * 1.5) / shapes.length))
}

/** `text, a number or a list of texts`; of two that begin alike the beginning is told once: `a list like [1] or [[1]]`. */
function anyOf(texts: readonly string[]): string {
  const different = [...new Set(texts)].filter(
    (text) => text !== '' && !texts.some((other) => other.startsWith(`${text} like `)),
  )
  const parts = different.map((text, index) => {
    const [start = ''] = / like (?=[[{])/.exec(text) ? text.split(/(?<= like )(?=[[{])/) : []
    return start !== '' && different[index - 1]?.startsWith(start) ? text.slice(start.length) : text
  })
  const [last = '', ...before] = parts.toReversed()
  if (before.length === 0) return last
  const isClear = !parts.some((part) => part.includes('true or false'))
  return `${before.toReversed().join(', ')}${isClear ? ' or ' : ', or '}${last}`
}

function describeShape(words: Vocabulary, root: JsonSchema, shape: JsonSchema, several = false): string {
  const allowed = allowedValues(shape)
  if (allowed) return `one of ${listValues(allowed)}`
  const types = plainTypes(shape)
  const said = anyOf(types.map(several ? words.typeWords : words.typeWord))
  if (types.includes('array')) return describeList(words, root, shape, said)
  const format = findFormat(shape)
  if (format && (said === '' || types.includes('string'))) return words.format(format, said, several)
  if (shape.pattern) return words.pattern(shape, said)
  const inside = types.includes('object') && words.tellsMembers ? likeShape(words, root, shape) : ''
  return (
    [said, bounds(shape)].filter(Boolean).join(' ') + inside + describeSize(shape) + describeExclusion(shape)
  )
}

function describeList(words: Vocabulary, root: JsonSchema, shape: JsonSchema, said: string): string {
  const needed = isObject(shape.contains) ? ` holding ${describeWith(words, root, shape.contains)}` : ''
  return describeItems(words, root, shape, said) + needed + describeSize(shape)
}

function describeItems(words: Vocabulary, root: JsonSchema, shape: JsonSchema, said: string): string {
  const { items } = shape
  const isOneKind = typeof items === 'object' && !Array.isArray(items) && !shape.prefixItems
  if (!isOneKind) return said + likeShape(words, root, shape)
  const kinds = listAlternatives(root, items)
  // Lists in lists are told by their form: words for them are not understood.
  if (kinds.some((kind) => listTypes(kind).includes('array'))) return said + likeShape(words, root, shape)
  const [kind] = kinds
  const allowed = kinds.length === 1 && kind ? allowedValues(kind) : undefined
  if (allowed) return said + words.eachOf + listValues(allowed)
  const inside = anyOf(
    kinds.map((one) => describeShape({ ...words, width: widthFor(kinds) }, root, one, true)),
  )
  return said + (inside && ` of ${inside}`)
}

/** ` like {"from": text, …}`; empty if the schema says nothing of what is inside. */
function likeShape(words: Vocabulary, root: JsonSchema, shape: JsonSchema): string {
  const name = (type: string) => words.typeWord(type).replace(/^an? /, '')
  const sketch = sketchShape(root, shape, { name, width: words.width })
  return sketch === undefined ? '' : ` like ${sketch}`
}

/** What `not` rules out, if it is a list of values: ` other than "root"`. */
function describeExclusion({ not }: JsonSchema): string {
  const values = typeof not === 'object' ? allowedValues(not) : undefined
  return values ? ` other than ${listValues(values)}` : ''
}

/** `distinctItems` replaces `uniqueItems` if the compiled schema checks that itself. */
export function wantsDistinctItems(shape: JsonSchema): boolean {
  return shape.uniqueItems === true || shape.distinctItems === true
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
  return value === undefined ? 'nothing' : jsonTypeOf(value)
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
