import { z } from 'zod'
import {
  type ConversationChange,
  type conversation,
  decided,
  type Feedback,
  type ShownStatus,
} from '../../../../shared/api/conversation.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeSchema } from '../../../../shared/server/database/write-schema.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { withLaterOutcomes } from '../entries/later-outcome.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import { createFindTool } from '../entries/tool-of-call.ts'
import type { FileLinks } from '../files/file-links.ts'
import { endInterrupted } from './interrupted-message.ts'
import { type OpenItemRow, openItemSchema, type PendingItem, showItem, showItems } from './open-item.ts'
import { closedItemsSchema } from './run-view.ts'
import {
  projectUiMessage,
  projectUserParts,
  type UiMessage,
  withClosedItems,
  withOpenItems,
} from './ui-message.ts'

type Conversation = z.output<ReturnType<typeof conversation>>

const conversationSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  status: z.string(),
  next: z.string().nullable(),
  messages: z.array(
    z.object({
      id: z.string(),
      writtenAt: z.string(),
      role: z.enum(['user', 'assistant']),
      /** Of the last run that wrote it. */
      runId: z.string(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      /** The user's rating. */
      feedback: z.object({ rating: z.enum(['good', 'bad']), reason: z.string().optional() }).nullish(),
      entries: z.array(entrySchema),
    }),
  ),
  pending: z.array(openItemSchema),
  decided: z.array(decided()),
  /** The tools that anything in it was asked about. */
  tools: z.array(specificationSchema),
  /** How many answers each one has taken the place of. */
  former: z.record(z.string(), z.number()),
  closed: closedItemsSchema,
  /** Of messages whose run died, or that say otherwise. */
  unreportedWrites: z.array(writeSchema),
})
type StoredConversation = z.infer<typeof conversationSchema>
/** There is no such message to read before. */
const nowhereSchema = z.object({ messages: z.null() })

const changedSchema = z
  .object({ id: z.string(), title: z.string().nullable(), pinned: z.boolean(), archived: z.boolean() })
  .nullable()
const deletedSchema = z.object({ deleted: z.string() }).nullable()

/**
 * One conversation with its newest messages, or those before one of them, without a message that is still being written.
 * `times`: "true" to include when they were written, what was decided in them and how often they were answered anew.
 * `formerOf`: the answers that this one has taken the place of instead. Throws ApiError 404.
 */
export async function getConversation(
  rpc: CallRpc,
  userId: string,
  id: string,
  links: FileLinks,
  language: Language,
  {
    before,
    times,
    formerOf,
  }: { before?: string | undefined; times?: string | undefined; formerOf?: string | undefined } = {},
): Promise<Conversation> {
  const args = {
    p_user_id: userId,
    p_conversation_id: id,
    p_before: before ?? null,
    p_former_of: formerOf ?? null,
  }
  const answer = z.union([conversationSchema, nowhereSchema]).nullable()
  const found = await askDatabase(rpc('get_conversation', args), answer, 'not_read')
  if (found === null) throw conversationNotFound()
  if (found.messages === null) throw new ApiError('message_not_found', { why: 'before' })
  return {
    id: found.id,
    title: found.title,
    status: shownStatus(found.status),
    ...(times === 'true'
      ? {
          times: Object.fromEntries(found.messages.map(({ id, writtenAt }) => [id, writtenAt])),
          decided: found.decided,
          former: Object.keys(found.former).length === 0 ? undefined : found.former,
        }
      : {}),
    next: found.next ?? undefined,
    messages: await Promise.all(
      found.messages
        .filter(({ entries }) => entries.every(({ type }) => type !== 'client-call'))
        .map((message) => showMessage(found, message, links, language)),
    ),
    pending: showItems(
      found.pending,
      found.messages.findLast(({ role }) => role === 'assistant')?.id,
      language,
    ),
  }
}

const openListSchema = z.array(openItemSchema)

/** The user's open items in all conversations, or with one agent: oldest first, with what a card needs. */
export async function listOpenItems(
  rpc: CallRpc,
  userId: string,
  { agentId }: { agentId?: string | undefined },
  language: Language,
): Promise<{ items: (PendingItem & Pick<OpenItemRow, 'conversationId' | 'conversationTitle'>)[] }> {
  const args = { p_user_id: userId, p_agent_id: agentId ?? null }
  const found = await askDatabase(rpc('list_open', args), openListSchema, 'not_read')
  return {
    items: found.flatMap((item) => {
      const { conversationId, conversationTitle } = item
      return showItem(item, found, language).map((shown) => ({ conversationId, conversationTitle, ...shown }))
    }),
  }
}

/** Renames, pins or archives a conversation; returns what was changed. Throws ApiError 404. */
export async function changeConversation(
  rpc: CallRpc,
  userId: string,
  id: string,
  { title, pinned, archived }: ConversationChange,
) {
  const args = {
    p_user_id: userId,
    p_conversation_id: id,
    p_title: title ?? null,
    p_pinned: pinned ?? null,
    p_archived: archived ?? null,
  }
  const changed = await askDatabase(rpc('change_conversation', args), changedSchema, 'not_changed')
  if (changed === null) throw conversationNotFound()
  return {
    id,
    title: title === undefined ? undefined : changed.title,
    pinned: pinned === undefined ? undefined : changed.pinned,
    archived: archived === undefined ? undefined : changed.archived,
  }
}

const ratedSchema = z.object({ rated: z.boolean() }).nullable()

/** Stores the user's rating of an answer, one each. Throws ApiError 404. */
export async function rateMessage(
  rpc: CallRpc,
  userId: string,
  id: string,
  { messageId, rating, reason }: Feedback,
): Promise<Feedback> {
  const asked = rpc('rate_message', {
    p_user_id: userId,
    p_conversation_id: id,
    p_message_id: messageId,
    p_rating: rating,
    p_reason: reason || null,
  })
  const answer = await askDatabase(asked, ratedSchema, 'not_changed')
  if (answer === null) throw conversationNotFound()
  if (answer.rated) return { messageId, rating, reason: reason || undefined }
  throw new ApiError('message_not_found', { why: 'answer' })
}

/**
 * Deletes a conversation with everything that was said in it. Its runs end; a write that had started is settled, and only
 * the fact that it was done is kept. Throws ApiError 404.
 */
export async function deleteConversation(rpc: CallRpc, userId: string, id: string) {
  const args = { p_user_id: userId, p_conversation_id: id }
  const deleted = await askDatabase(rpc('delete_conversation', args), deletedSchema, 'not_changed')
  if (deleted === null) throw conversationNotFound()
  return deleted
}

export function conversationNotFound(): ApiError {
  return new ApiError('conversation_not_found')
}

/** Clients know `running` and the statuses of an answer. */
export function shownStatus(status: string): ShownStatus {
  return status === 'stopped' || status === 'interrupted' ? 'failed' : (status as ShownStatus)
}

type StoredMessage = StoredConversation['messages'][number]

async function showMessage(
  { id: conversationId, pending, closed, tools, unreportedWrites }: StoredConversation,
  { id, role, runId, metadata, feedback, entries }: StoredMessage,
  links: FileLinks,
  language: Language,
): Promise<UiMessage> {
  if (role === 'assistant') {
    const named = byName(tools)
    const findTool = createFindTool(tools.map((specification) => ({ specification })))
    const known = withLaterOutcomes(entries, unreportedWrites, findTool)
    const ended = endInterrupted(known, unreportedWrites, named)
    const message = projectUiMessage({ conversationId, runId, messageId: id }, ended, named, language)
    const rated = feedback ? { ...message, metadata: { ...message.metadata, feedback } } : message
    return withClosedItems(withOpenItems(rated, showItems(pending, rated.id, language)), closed, language)
  }
  const said = entries.filter((entry) => entry.type === 'user-message')
  const parts = await Promise.all(said.map((entry) => projectUserParts(entry, links.sign)))
  return { id, role, parts: parts.flat(), metadata: metadata || undefined }
}

function byName(tools: readonly ToolSpecification[]): ReadonlyMap<string, ToolSpecification> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}
