import type { JsonSchema } from '../core/json-schema.ts'
import {
  allowedValues,
  bounds,
  describeExclusion,
  describeSize,
  listValues,
} from '../schema/describe-schema.ts'
import { findFormat } from '../schema/formats.ts'
import { listAlternatives, listTypes } from '../schema/resolve-schema.ts'
import { showValue } from '../schema/show-value.ts'
import { samplePattern } from './sample-pattern.ts'
import { statedExamples } from './stated-examples.ts'

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

/** What belongs at a place, for a sentence: `a whole number from 1 to 5`, `a list of texts`, `text like "#W111"`. */
export function describeInWords(root: JsonSchema, schema: JsonSchema | boolean, many = false): string {
  const texts = listAlternatives(root, schema).map((shape) => shapeInWords(root, shape, many))
  const different = [...new Set(texts)].filter((text) => text !== '' && text !== 'nothing')
  return different.slice(0, namedAlternatives).join(' or ') || 'another value'
}

function shapeInWords(root: JsonSchema, shape: JsonSchema, many: boolean): string {
  const allowed = allowedValues(shape)
  if (allowed) return many ? listValues(allowed) : `one of ${listValues(allowed)}`
  const types = listTypes(shape).filter((type) => type !== 'null')
  const words = types.map((type) => plainWords[type]?.[many ? 1 : 0] ?? type).join(' or ')
  if (types.includes('array')) return `${words}${itemsInWords(root, shape)}${describeSize(shape)}`
  if (types.includes('object')) return many ? words : words + membersInWords(shape) + describeSize(shape)
  const format = words === '' || types.includes('string') ? findFormat(shape) : undefined
  if (format) return many ? format.many : format.one
  if (shape.pattern === undefined) {
    return (
      [words || (shape.not && 'another value'), bounds(shape)].filter(Boolean).join(' ') +
      describeExclusion(shape)
    )
  }
  const sample = patternSample(shape)
  return sample === undefined
    ? `${words || 'text'} in the expected form`
    : `${words || 'text'} like ${showValue(sample)}`
}

function itemsInWords(root: JsonSchema, { items, contains }: JsonSchema): string {
  if (typeof contains === 'object') return ` with at least ${describeInWords(root, contains)}`
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
