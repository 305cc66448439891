import { z } from 'zod'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import { openItemSchema } from './open-item.ts'

/** How items that are no longer open were closed, by id. */
export const closedItemsSchema = z.record(z.string(), z.string())
export type ClosedItems = z.infer<typeof closedItemsSchema>

/** A run as others see it (RPC `get_run`). */
export const runViewSchema = z.object({
  runId: z.string(),
  conversationId: z.string(),
  messageId: z.string(),
  status: z.string(),
  /** Of its message, until its own end; empty while it runs. */
  entries: z.array(entrySchema),
  /** What can still be decided in its conversation. */
  pending: z.array(openItemSchema),
  /** Of its message. */
  closed: closedItemsSchema,
  /** The tools that it asks about. */
  tools: z.array(specificationSchema),
})
export type RunView = z.infer<typeof runViewSchema>
