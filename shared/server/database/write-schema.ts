import { z } from 'zod'
import type { Write } from '../../engine/core/write.ts'
import { resultSchema } from './answer-schemas.ts'

const write = z.object({
  id: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  intent: z.number(),
  repetition: z.number(),
  status: z.enum(['running', 'succeeded', 'failed', 'unknown', 'cancelled']),
  at: z.string(),
  idempotencyKey: z.string(),
  result: resultSchema,
  durationMs: z.number().nullable(),
  isSecond: z.boolean(),
})

/** A write that was begun or done (SQL `write_json`). */
export const writeSchema: z.ZodType<Write> = write

/** One that was, or may have been, carried out. */
export const liveWriteSchema = write.extend({ status: z.enum(['running', 'succeeded', 'unknown']) })
