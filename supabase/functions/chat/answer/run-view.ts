import { z } from 'zod'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { entrySchema } from '../entries/stored-entry.ts'

/** What a run waits for, as far as the database decides on it. */
export const openCallSchema = z.object({
  type: z.enum(['input', 'approval', 'connection', 'wait']),
  toolCallId: z.string(),
  approvalId: z.string().optional(),
})
export type OpenCall = z.infer<typeof openCallSchema>

/** A run as others see it (RPC `get_run`). */
export const runViewSchema = z.object({
  runId: z.string(),
  conversationId: z.string(),
  messageId: z.string(),
  status: z.string(),
  /** Of its message, until its own end; empty while it runs. */
  entries: z.array(entrySchema),
  /** What can still be answered. */
  pending: z.array(openCallSchema),
  /** The tools that it asks about. */
  tools: z.array(specificationSchema),
})
export type RunView = z.infer<typeof runViewSchema>
