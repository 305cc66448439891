import { z } from 'zod'
import { approvedBy, type LinkedItem, type Outcome } from '../../../../shared/api/item-link.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { projectToolUses, summaryOf } from '../../../../shared/engine/transcript/answer.ts'
import { sayError } from '../../../../shared/engine/transcript/own-words.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { sayForm } from '../../../../shared/words/form-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { toolOf } from '../../../../shared/words/say.ts'
import { openItemSchema, type PendingItem, showItem } from '../answer/open-item.ts'
import { entrySchema } from '../entries/stored-entry.ts'

const madeSchema = z.object({
  as: z.string(),
  by: z
    .object({
      door: z.enum(['page', 'link', 'approver', 'client']),
      link: z.string().optional(),
      approver: z.string().optional(),
      name: z.string().optional(),
    })
    .optional(),
  approvedBy: z.array(approvedBy()).optional(),
})

const outcomeSchema = z.object({
  made: madeSchema,
  running: z.boolean(),
  entries: z.array(entrySchema),
  asked: z.boolean(),
})

/** An item with all that its own page shows (SQL `opened_item`). */
export const openedItemSchema = z.object({
  userId: z.string(),
  conversationId: z.string(),
  itemId: z.string(),
  agent: z.string().nullable(),
  item: openItemSchema.nullable(),
  /** Null while it can be decided. */
  closed: z.object({ as: z.string(), at: z.string().nullable() }).nullable(),
  outcome: outcomeSchema.nullable(),
  /** Whether the reader decides it as one of a group. */
  isApprover: z.boolean(),
})
export type OpenedItem = z.infer<typeof openedItemSchema>

const openedSchema = openedItemSchema.extend({
  kind: z.literal('open'),
  link: z.object({
    id: z.string(),
    name: z.string().nullable(),
    decides: z.boolean(),
    expiresAt: z.string(),
  }),
})
/** What a link leads to (SQL `open_item_link`). */
export type OpenedLink = z.infer<typeof openedSchema>

const replySchema = z.discriminatedUnion('kind', [
  openedSchema,
  z.object({ kind: z.enum(['unknown', 'revoked', 'expired']) }),
])

/**
 * What a link leads to, which opening does not change. `reader`: the id of whoever is signed in; `unknown`: the refusal of
 * one that leads nowhere. Throws ApiError.
 */
export async function openLink(
  rpc: CallRpc,
  hash: string | undefined,
  reader: string | undefined,
  unknown: () => ApiError,
): Promise<OpenedLink> {
  if (hash === undefined) throw unknown()
  const asked = rpc('open_item_link', { p_hash: hash, p_reader: reader ?? null })
  const opened = await askDatabase(asked, replySchema, 'not_read')
  switch (opened.kind) {
    case 'open':
      return opened
    case 'unknown':
      throw unknown()
    default:
      throw new ApiError(
        'link_expired',
        { why: opened.kind === 'revoked' ? 'revoked' : 'item' },
        { status: 410 },
      )
  }
}

/** Why whoever has opened a link cannot decide with it; undefined if they can. */
export function lacksSignIn(
  { link, userId, isApprover }: OpenedLink,
  signedIn: string | undefined,
): LinkedItem['signIn'] {
  if (link.decides || signedIn === userId || isApprover) return undefined
  return signedIn === undefined ? 'needed' : 'other'
}

/** An item as its own page shows it, in a language. Throws ApiError 404 if its question is gone. */
export function showLinkedItem(
  opened: OpenedLink,
  signIn: LinkedItem['signIn'],
  language: Language,
): LinkedItem {
  const { link, agent, item, outcome } = opened
  const shown = item ? showItem(item, [item], language)[0] : undefined
  if (!shown) throw new ApiError('item_not_found')
  const decided = decidedAs(opened)
  return {
    item: signIn ? headingOf(shown) : withoutPermission(shown),
    agent,
    decides: link.decides,
    name: link.name ?? undefined,
    expiresAt: link.expiresAt,
    signIn,
    decided,
    ...(item?.tool && !item.approvers && !decided && !signIn
      ? { parameters: parametersOf(item.tool, language) }
      : {}),
    outcome: outcome && !signIn ? outcomeOf(outcome, item?.tool ?? null, language) : undefined,
  }
}

/** How an item can no longer be decided; undefined if it can. */
export function decidedAs({ closed, outcome }: OpenedItem): LinkedItem['decided'] {
  const decided = closed ?? (outcome ? { as: outcome.made.as, at: null } : undefined)
  if (!decided) return undefined
  const { by, approvedBy } = outcome?.made ?? {}
  return {
    ...decided,
    ...(by ? { by: { door: by.door, name: by.name || undefined } } : {}),
    ...(approvedBy ? { approvedBy } : {}),
  }
}

function parametersOf({ name, parameters }: ToolSpecification, language: Language): Record<string, unknown> {
  const own = toolOf(language, name)
  return own ? sayForm(own, parameters) : parameters
}

/** One yes by a link is one yes. */
function withoutPermission({ remember: _, ...item }: PendingItem): PendingItem {
  return item
}

/** What may be read of it by whoever has a link that carries no authority: what is asked, without the call's values. */
function headingOf(item: PendingItem): PendingItem {
  const { type, itemId, agentId, messageId, toolCallId, toolName, title, intent, code, asked, confirm } = item
  const { button, approvalId, reason, askedAt, expiresAt, resumeAt } = item
  return {
    type,
    itemId,
    agentId,
    messageId,
    toolCallId,
    toolName,
    title,
    intent,
    code,
    asked,
    question: asked,
    askedAt,
    confirm: confirm || undefined,
    button: button || undefined,
    approvalId: approvalId || undefined,
    reason,
    expiresAt: expiresAt || undefined,
    resumeAt: resumeAt || undefined,
  }
}

/** What became of a decision, in a language. */
export function outcomeOf(
  { made, running, entries, asked }: NonNullable<OpenedItem['outcome']>,
  tool: ToolSpecification | null,
  language: Language,
): Outcome {
  const use = projectToolUses(entries).at(-1)
  if (use?.ok) {
    const text = summaryOf(use, new Map(tool ? [[tool.name, tool]] : []), language)
    return { status: 'done', ...(text ? { text } : {}) }
  }
  if (asked) return { status: 'asked_again' }
  if (use?.error) {
    const { errorType } = use.error
    if (errorType === 'approval_denied' || errorType === 'cancelled') return { status: 'not_done' }
    return {
      status: errorType === 'outcome_unknown' ? 'unknown' : 'failed',
      text: sayError(language, use.error),
    }
  }
  if (running) return { status: 'working' }
  return { status: made.as === 'deny' || made.as === 'skip' ? 'not_done' : 'working' }
}
