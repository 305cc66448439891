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

/** The execution of any call (SQL `write_json`): also of one that needed no claim, because it was a read or was refused. */
export const executionSchema = write.extend({
  /** The text, if they could not be read. */
  arguments: z.unknown(),
  status: z.enum([...write.shape.status.options, 'rejected']),
  idempotencyKey: z.string().nullable(),
})

/** The same without its content, for operators (SQL `execution_facts`). */
export const executionFactsSchema = executionSchema
  .pick({ toolCallId: true, toolName: true, status: true, at: true })
  .extend({
    runId: z.string().nullable(),
    userId: z.string(),
    attempt: z.number(),
    errorType: z.string().nullable(),
    settledAt: z.string().nullable(),
  })

/** One that was, or may have been, carried out. */
export const liveWriteSchema = write.extend({ status: z.enum(['running', 'succeeded', 'unknown']) })
