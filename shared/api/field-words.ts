import { z } from 'zod'
import type { RefusalCode } from './refusals.ts'

/** How a value is spoken of where it does not fit. */
export interface FieldWords {
  /** What it must be, such as `the id of an agent`; without it, this is read from the schema. */
  expected?: string
  /** What to send instead, as a sentence. */
  instead?: string
  /** How the request is refused where it is not `bad_request`. */
  refusal?: { status: 400 | 404; code: RefusalCode; message?: string }
}

const known = z.registry<FieldWords>()

/** Notes how a schema is spoken of. It is asked for again by `wordsOf`. */
export function withWords<Schema extends z.ZodType>(schema: Schema, words: FieldWords): Schema {
  known.add(schema, words)
  return schema
}

export function wordsOf(schema: z.ZodType): FieldWords | undefined {
  return known.get(schema)
}

/** A member that may be left out, or be null, which is the same. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/** An id of a path or a body that the database made; letters of either case are the same. */
export function id() {
  return z.guid().toLowerCase()
}
