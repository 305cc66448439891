import { z } from 'zod'
import type { approvers } from '../../../../shared/api/pending.ts'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { questionAboutUnreported } from '../../../../shared/engine/loop/consent/question-about-unreported.ts'
import { byIntent, describePending, type Pending } from '../../../../shared/engine/transcript/answer.ts'
import type { QuestionEntry } from '../../../../shared/engine/transcript/entry.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { writeSchema } from '../../../../shared/server/database/write-schema.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { questionSchema } from '../entries/stored-entry.ts'

const approversSchema = z.object({
  who: z.enum(['group', 'both']),
  group: z.string(),
  /** For whom the reader may say yes; null if they have no say. */
  part: z.enum(['user', 'group']).nullable(),
  approved: z.array(z.object({ part: z.enum(['user', 'group']), name: z.string(), isReader: z.boolean() })),
})
type ReadApprovers = z.infer<typeof approversSchema>

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
  /** Who approves it, if not its user alone (SQL `approvers_json`). */
  approvers: approversSchema.nullish(),
  /** The program over MCP in which it was declined, and until when it is open. */
  declined: z.object({ in: z.string(), expiresAt: z.string().nullable() }).nullish(),
})
export type OpenItemRow = z.infer<typeof openItemSchema>

/** An open item as clients see it. */
export interface PendingItem extends Pending {
  agentId: string | null
  /** The assistant message with its card. */
  messageId: string
  /** The program in which it was declined. */
  declinedIn?: string
  approvers?: z.output<ReturnType<typeof approvers>>
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
  const { agentId, messageId, tool, declined } = item
  const question = questionOf(item)
  if (!question) return []
  const tools: ReadonlyMap<string, ToolSpecification> = new Map(tool ? [[tool.name, tool]] : [])
  const asked = describePending(question, tools, language, openCalls(others))
  const shown = declined
    ? { ...asked, declinedIn: declined.in, expiresAt: declined.expiresAt ?? asked.expiresAt }
    : asked
  if (!item.approvers) return [{ ...shown, agentId, messageId }]
  const { remember: _, ...asAsked } = shown
  return [{ ...asAsked, agentId, messageId, approvers: showApprovers(item.approvers, language) }]
}

function showApprovers(
  { who, group, part, approved }: ReadApprovers,
  language: Language,
): NonNullable<PendingItem['approvers']> {
  const [first] = approved
  const said = (): Said => {
    if (first) {
      const missing = first.part === 'group' ? (part === 'user' ? 'reader' : 'user') : 'group'
      const name = first.isReader ? undefined : first.name
      return { code: 'approved_by_one', values: { group, name, waitsFor: missing } }
    }
    if (who === 'both') return { code: 'takes_two', values: { group, isYours: part === 'user' } }
    return { code: part === null ? 'waits_for_group' : 'decided_for_group', values: { group } }
  }
  return {
    who,
    group,
    canApprove: part !== null && !approved.some((one) => one.part === part),
    approved: approved.map(({ part, name }) => ({ part, name })),
    sentence: sayOwn(language, said()),
  }
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
