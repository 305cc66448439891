import { z } from 'zod'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { writeSchema } from '../../../../shared/server/database/write-schema.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import { endInterrupted } from './interrupted-message.ts'
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
  /** The run that writes its message now, if its process was silent for too long. */
  replacedBy: z.string().nullable(),
  /** Of its message, until its own end; empty while it runs. */
  entries: z.array(entrySchema),
  /** Of one that was to stop and died. */
  unreportedWrites: z.array(writeSchema),
  /** What can still be decided in its conversation. */
  pending: z.array(openItemSchema),
  /** Of its message. */
  closed: closedItemsSchema,
  /** The tools that it asks about. */
  tools: z.array(specificationSchema),
})
export type RunView = z.infer<typeof runViewSchema>

/** The entries of a run's message; of one that was to stop and died, with the end that it did not write. */
export function wholeEntries({ status, entries, unreportedWrites, tools }: RunView): readonly Entry[] {
  if (status !== 'stopped') return entries
  return endInterrupted(entries, unreportedWrites, new Map(tools.map((tool) => [tool.name, tool])))
}
