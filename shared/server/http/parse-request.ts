import { z } from 'zod'
import { type FieldWords, wordsOf } from '../../api/field-words.ts'
import type { RefusalCode } from '../../api/refusals.ts'
import { formatPath, type JsonPath, valueAt } from '../../engine/core/json-path.ts'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import type { BadRequest } from '../../words/refused/faults.ts'
import type { Expected, Unfit } from '../../words/refused/unfit.ts'
import { ApiError } from './api-error.ts'

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
  const unfit: Unfit = {
    path: path.length === 0 ? '' : formatPath(path),
    given: valueAt(given, path),
    expected: expectedBy(place),
    words,
  }
  // A rule of our own names its sentence, which says more than that of its field.
  const own = issue?.code === 'custom' ? issue.params?.why : undefined
  if (refusal !== undefined && own === undefined) throw new ApiError<RefusalCode>(refusal, unfit)
  throw new ApiError('bad_request', { why: own ?? 'unfit', ...unfit, body: given } as BadRequest)
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

/** What must stand at a place. */
function expectedBy(schema: z.ZodType): Expected {
  const layers = layersOf(schema)
  if (layers.at(-1) instanceof z.ZodObject) return { kind: 'object' }
  const { examples } = jsonSchemaOf(schema)
  return {
    ...kindOf(jsonSchemaOf(layers.at(-1) ?? schema)),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    orNull: layers.some((layer) => layer instanceof z.ZodNullable),
  }
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function kindOf({ type, enum: choices, format, ...facts }: JsonSchema): Expected {
  if (Array.isArray(choices)) return { kind: 'choice', choices }
  const { minLength, maxLength, minimum: least, maximum: most } = facts
  if (type === 'string' && format === 'uuid') return { kind: 'id' }
  if (type === 'string' && format === 'date-time') return { kind: 'time' }
  if (type === 'string') return { kind: 'text', least: minLength, most: maxLength }
  if (type === 'integer') return { kind: 'whole', least, most }
  const kinds: Record<string, Expected['kind']> = { array: 'list', boolean: 'flag', object: 'object' }
  return { kind: kinds[String(type)] ?? 'valid' }
}
