import { z } from 'zod'
import type { None } from '../words/refuse.ts'
import type { Refusals } from '../words/refused/refused.ts'
import type { Unfit } from '../words/refused/unfit.ts'

/** The codes of refusals that can be said of an invalid value. */
export type UnfitCode = {
  [Code in keyof Refusals]: Refusals[Code] extends Unfit | None ? Code : never
}[keyof Refusals]

/** How sentences refer to an invalid value. */
export interface FieldWords {
  /** What it must be, such as `the id of an agent`; by default derived from the schema. */
  expected?: string
  /** What to send instead, as a sentence. */
  instead?: string
  /** The code of the refusal, if it is not `bad_request`: its sentence says what is unfit, or nothing of it. */
  refusal?: UnfitCode
}

const known = z.registry<FieldWords>()

/** Registers the words for a schema. `wordsOf` looks them up. */
export function withWords<Schema extends z.ZodType>(schema: Schema, words: FieldWords): Schema {
  known.add(schema, words)
  return schema
}

export function wordsOf(schema: z.ZodType): FieldWords | undefined {
  return known.get(schema)
}

/** A member that may be absent, or null, which means the same. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

/** An id in a path or a body that the database made; case does not matter. */
export function id() {
  return z.guid().toLowerCase()
}
