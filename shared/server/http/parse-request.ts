import { z } from 'zod'
import { type FieldWords, wordsOf } from '../../api/field-words.ts'
import { formatPath, type JsonPath, valueAt } from '../../engine/core/json-path.ts'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import { inWords } from '../../words/in-words.ts'
import { ApiError } from './api-error.ts'

/** Characters of a value that a sentence repeats. */
const longestValue = 100

/**
 * What a schema reads from a request. Throws ApiError, mostly 400 `bad_request`, with a sentence on the first fault: what
 * it is about, what must stand there, and what did.
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []) as JsonPath
  const place = schemaAt(schema, path)
  const { refusal, ...words } = wordsAt(place)
  if (refusal?.message !== undefined) throw new ApiError(refusal.code, refusal.message)
  // A rule of our own says itself what is wrong.
  const isOwn = issue?.code === 'custom' && issue.message !== unsaid
  const sentence = isOwn ? issue.message : describe(path, place, valueAt(given, path), words)
  throw new ApiError(refusal?.code ?? 'bad_request', sentence)
}

/** What zod says of a rule without words. */
const unsaid = 'Invalid input'

function describe(path: JsonPath, place: z.ZodType, value: unknown, words: FieldWords): string {
  const expected = words.expected ?? expectedBy(place)
  const name = path.length === 0 ? 'The request body' : `"${formatPath(path)}"`
  const then = words.instead ?? `Send ${expected}.`
  if (value === undefined) return `${name} is missing. ${then}`
  const wrong = `${name} must be ${expected}, not ${show(value)}.`
  return words.instead === undefined ? wrong : `${wrong} ${words.instead}`
}

function show(value: unknown): string {
  if (typeof value === 'string' && value.length > longestValue) return `a text of ${value.length} characters`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

/** The schema of a place, as far as it is declared. */
function schemaAt(schema: z.ZodType, path: JsonPath): z.ZodType {
  let at = schema
  for (const key of path) {
    const inner = layersOf(at).at(-1)
    if (inner instanceof z.ZodObject) at = inner.shape[key] ?? z.unknown()
    else if (inner instanceof z.ZodArray) at = inner.element as z.ZodType
    else return z.unknown()
  }
  return at
}

/** A schema and what it wraps, outermost first. */
function layersOf(schema: z.ZodType): z.ZodType[] {
  const inside = insideOf(schema)
  return inside === undefined ? [schema] : [schema, ...layersOf(inside)]
}

function insideOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap() as z.ZodType
  if (schema instanceof z.ZodPipe) {
    return (schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType
  }
  return undefined
}

function wordsAt(schema: z.ZodType): FieldWords {
  return layersOf(schema).map(wordsOf).find(Boolean) ?? {}
}

/** What must stand at a place, in words. */
function expectedBy(schema: z.ZodType): string {
  const layers = layersOf(schema)
  if (layers.at(-1) instanceof z.ZodObject) return 'a JSON object'
  const { examples } = jsonSchemaOf(schema)
  const example = Array.isArray(examples) ? `, such as ${JSON.stringify(examples[0])}` : ''
  const orNull = layers.some((layer) => layer instanceof z.ZodNullable) ? ', or null' : ''
  return `${kindOf(jsonSchemaOf(layers.at(-1) ?? schema))}${example}${orNull}`
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function kindOf({ type, enum: choices, format, items, ...facts }: JsonSchema): string {
  if (Array.isArray(choices))
    return inWords(
      choices.map((choice) => JSON.stringify(choice)),
      'or',
    )
  const { minLength = 0, maxLength, minimum, maximum } = facts
  if (type === 'string' && format === 'uuid') return 'an id'
  if (type === 'string' && format === 'date-time') return 'a time in ISO 8601'
  if (type === 'string' && maxLength !== undefined) {
    return Number(minLength) > 0
      ? `a text of ${minLength} to ${maxLength} characters`
      : `a text of at most ${maxLength} characters`
  }
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'array') return 'a list'
  return { string: 'a text', boolean: 'true or false', object: 'a JSON object' }[String(type)] ?? 'valid'
}
