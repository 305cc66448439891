import { z } from 'zod'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { entrySchema } from '../entries/stored-entry.ts'
import { unreportedWriteSchema } from '../entries/unreported-write.ts'
import type { FileLinks } from '../files/file-links.ts'
import type { Feedback } from '../request/feedback.ts'
import { endInterrupted } from './interrupted-message.ts'
import { type OpenItem, openItemSchema, type PendingItem, showItem, showItems } from './open-item.ts'
import { closedItemsSchema } from './run-view.ts'
import {
  projectUiMessage,
  projectUserParts,
  type UiMessage,
  withClosedItems,
  withOpenItems,
} from './ui-message.ts'

export interface Conversation {
  id: string
  title: string | null
  status: string
  messages: UiMessage[]
  /** What is open: in the newest message first. */
  pending: PendingItem[]
}

const listSchema = z.array(
  z.looseObject({
    status: z.string(),
    updatedAt: z.string(),
    /** What waits for the user. */
    open: z.object({ count: z.number(), kinds: z.array(z.string()), oldest: z.string().nullable() }),
  }),
)
type ListedConversation = z.infer<typeof listSchema>[number]

const conversationSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  status: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      /** Of the last run that wrote it. */
      runId: z.string(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      /** What the user thinks of it. */
      feedback: z.object({ rating: z.enum(['good', 'bad']), reason: z.string().optional() }).nullish(),
      entries: z.array(entrySchema),
    }),
  ),
  pending: z.array(openItemSchema),
  /** Those that anything in it was asked about. */
  tools: z.array(specificationSchema),
  closed: closedItemsSchema,
  /** Of messages whose run died. */
  unreportedWrites: z.array(unreportedWriteSchema),
})
type StoredConversation = z.infer<typeof conversationSchema>

const titleSchema = z.object({ id: z.string(), title: z.string() }).nullable()
const deletedSchema = z.object({ deleted: z.string() }).nullable()

const notRead = 'so this cannot be read. Try again in a minute.'
const notChanged = 'so nothing was changed. Try again in a minute.'

/**
 * The user's conversations, newest first: at most `limit` (1 to 200), older than `before` (ISO 8601) if given; `next` is
 * the value for `before` where there may be more.
 */
export async function listConversations(
  rpc: CallRpc,
  userId: string,
  query: { limit?: string | undefined; before?: string | undefined },
): Promise<{ conversations: ListedConversation[]; next?: string }> {
  const limit = query.limit === undefined ? 50 : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new ApiError(400, 'bad_request', '"limit" is a number from 1 to 200.')
  }
  const before = query.before === undefined ? null : new Date(query.before)
  if (before !== null && Number.isNaN(before.getTime())) {
    throw new ApiError(400, 'bad_request', '"before" is a time such as 2026-01-31T12:00:00Z.')
  }
  const args = { p_user_id: userId, p_limit: limit, p_before: before?.toISOString() ?? null }
  const list = await askDatabase(rpc('list_conversations', args), listSchema, notRead)
  if (list.length === 0) await requireAccount(rpc, userId)
  const last = list.length === limit ? list.at(-1) : undefined
  return {
    conversations: list.map((entry) => ({ ...entry, status: shownStatus(entry.status) })),
    ...(last ? { next: last.updatedAt } : {}),
  }
}

/** One conversation, without a message that is still being written. Throws ApiError 404. */
export async function getConversation(
  rpc: CallRpc,
  userId: string,
  id: string,
  links: FileLinks,
): Promise<Conversation> {
  const args = { p_user_id: userId, p_conversation_id: id }
  const found = await askDatabase(rpc('get_conversation', args), conversationSchema.nullable(), notRead)
  if (found === null) throw conversationNotFound()
  return {
    id: found.id,
    title: found.title,
    status: shownStatus(found.status),
    messages: await Promise.all(found.messages.map((message) => showMessage(found, message, links))),
    pending: showItems(found.pending, found.messages.findLast(({ role }) => role === 'assistant')?.id),
  }
}

const openListSchema = z.array(openItemSchema)

/** What waits for the user in all conversations, or with one agent: oldest first, with what a card needs. */
export async function listOpenItems(
  rpc: CallRpc,
  userId: string,
  { agentId }: { agentId?: string | undefined },
): Promise<{ items: (PendingItem & Pick<OpenItem, 'conversationId' | 'conversationTitle'>)[] }> {
  if (agentId !== undefined && !isUuid(agentId)) {
    throw new ApiError(400, 'bad_request', `"agentId" is the id of an agent, not ${JSON.stringify(agentId)}.`)
  }
  const args = { p_user_id: userId, p_agent_id: agentId ?? null }
  const found = await askDatabase(rpc('list_items', args), openListSchema, notRead)
  if (found.length === 0) await requireAccount(rpc, userId)
  return {
    items: found.flatMap((item) => {
      const { conversationId, conversationTitle } = item
      return showItem(item).map((shown) => ({ conversationId, conversationTitle, ...shown }))
    }),
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Gives a conversation another title. Throws ApiError 404. */
export async function renameConversation(rpc: CallRpc, userId: string, id: string, title: string) {
  const args = { p_user_id: userId, p_conversation_id: id, p_title: title }
  const renamed = await askDatabase(rpc('rename_conversation', args), titleSchema, notChanged)
  if (renamed === null) throw conversationNotFound()
  return renamed
}

const ratedSchema = z.object({ rated: z.boolean() }).nullable()

/** Keeps what the user thinks of an answer, one opinion each. Throws ApiError 404. */
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
    p_reason: reason ?? null,
  })
  const answer = await askDatabase(asked, ratedSchema, notChanged)
  if (answer === null) throw conversationNotFound()
  if (answer.rated) return { messageId, rating, ...(reason === undefined ? {} : { reason }) }
  throw new ApiError(404, 'message_not_found', 'There is no answer with this id in the conversation.')
}

/**
 * Deletes a conversation with all that was said in it. Its runs end; a write that had begun is settled, and only that
 * it was done is kept. Throws ApiError 404.
 */
export async function deleteConversation(rpc: CallRpc, userId: string, id: string) {
  const args = { p_user_id: userId, p_conversation_id: id }
  const deleted = await askDatabase(rpc('delete_conversation', args), deletedSchema, notChanged)
  if (deleted === null) throw conversationNotFound()
  return deleted
}

export function conversationNotFound(): ApiError {
  return new ApiError(404, 'conversation_not_found', 'You have no conversation with this id.')
}

/** Clients know `running` and the statuses of an answer. */
function shownStatus(status: string): string {
  return status === 'stopped' || status === 'interrupted' ? 'failed' : status
}

type StoredMessage = StoredConversation['messages'][number]

async function showMessage(
  { id: conversationId, pending, closed, tools, unreportedWrites }: StoredConversation,
  { id, role, runId, metadata, feedback, entries }: StoredMessage,
  links: FileLinks,
): Promise<UiMessage> {
  if (role === 'assistant') {
    const named = byName(tools)
    const told = endInterrupted(entries, unreportedWrites, named)
    const message = projectUiMessage({ conversationId, runId, messageId: id }, told, named)
    const rated = feedback ? { ...message, metadata: { ...message.metadata, feedback } } : message
    return withClosedItems(withOpenItems(rated, pending.flatMap(showItem)), closed)
  }
  const said = entries.filter((entry) => entry.type === 'user-message')
  const parts = await Promise.all(said.map((entry) => projectUserParts(entry, links.sign)))
  return { id, role, parts: parts.flat(), ...(metadata ? { metadata } : {}) }
}

function byName(tools: readonly ToolSpecification[]): ReadonlyMap<string, ToolSpecification> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}
