import { z } from 'zod'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { questionAboutUnreported } from '../../../../shared/engine/loop/consent/question-about-unreported.ts'
import { byIntent, describePending, type Pending } from '../../../../shared/engine/transcript/answer.ts'
import type { QuestionEntry } from '../../../../shared/engine/transcript/entry.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { writeSchema } from '../../../../shared/server/database/write-schema.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { questionSchema } from '../entries/stored-entry.ts'

/** What somebody can still decide (SQL `list_items`). */
export const openItemSchema = z.object({
  itemId: z.string(),
  conversationId: z.string(),
  conversationTitle: z.string().nullable(),
  messageId: z.string(),
  agentId: z.string().nullable(),
  type: z.enum(['input', 'approval', 'connection', 'wait']),
  toolCallId: z.string(),
  /** The question; null for a write that may have happened and whose process died before it could ask. */
  entry: questionSchema.nullable(),
  /** That write. */
  write: writeSchema.nullable(),
  /** The account that its tool uses; null if it will ask. */
  account: z.string().nullable(),
  /** As its agent may use it now. */
  tool: specificationSchema.nullable(),
})
export type OpenItemRow = z.infer<typeof openItemSchema>

/** An open item as clients see it. */
export interface PendingItem extends Pending {
  agentId: string | null
  /** The assistant message with its card. */
  messageId: string
}

/** The question of an item; an item without an entry is worded here. */
export function questionOf({ itemId, entry, write, account, tool }: OpenItemRow): QuestionEntry | undefined {
  if (entry) return entry
  return write ? questionAboutUnreported({ itemId, write, account }, tool ?? undefined) : undefined
}

/** An item as clients see it, in a language, beside the `others` that are open. */
export function showItem(
  item: OpenItemRow,
  others: readonly OpenItemRow[],
  language: Language,
): PendingItem[] {
  const { agentId, messageId, tool } = item
  const question = questionOf(item)
  if (!question) return []
  const tools: ReadonlyMap<string, ToolSpecification> = new Map(tool ? [[tool.name, tool]] : [])
  return [{ ...describePending(question, tools, language, openCalls(others)), agentId, messageId }]
}

/** Those of a message first, then the others, of each message in the order of its calls. */
export function showItems(
  items: readonly OpenItemRow[],
  messageId: string | undefined,
  language: Language,
): PendingItem[] {
  const own = items.filter((item) => item.messageId === messageId)
  const others = items.filter((item) => item.messageId !== messageId)
  return [own, others].flatMap((some) =>
    some.flatMap((item) => showItem(item, items, language)).sort(byIntent),
  )
}

function openCalls(items: readonly OpenItemRow[]): Set<string> {
  return new Set(items.map(({ toolCallId }) => toolCallId))
}
