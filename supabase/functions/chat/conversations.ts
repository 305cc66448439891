import type { Pending } from '../../../shared/engine/loop/agent-response.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { databaseAway } from './begin-turn.ts'
import type { UiMessage } from './loaded-turn.ts'

export interface Conversation {
  id: string
  title: string | null
  status: string
  messages: UiMessage[]
  pending: Pending[]
}

const away = 'so this cannot be read. Try again in a minute.'

/** The user's conversations, newest first: at most `limit` (1 to 200), older than `before` (ISO 8601) if given. */
export async function listConversations(
  rpc: CallRpc,
  userId: string,
  query: { limit?: string | undefined; before?: string | undefined },
): Promise<unknown> {
  const limit = query.limit === undefined ? 50 : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new ApiError(400, 'bad_request', '"limit" is a number from 1 to 200.')
  }
  const before = query.before === undefined ? null : new Date(query.before)
  if (before !== null && Number.isNaN(before.getTime())) {
    throw new ApiError(400, 'bad_request', '"before" is a time such as 2026-01-31T12:00:00Z.')
  }
  const list = (await rpc('list_conversations', {
    p_user_id: userId,
    p_limit: limit,
    p_before: before?.toISOString() ?? null,
  }).catch((error) => {
    throw databaseAway(error, away)
  })) as Pick<Conversation, 'id' | 'title' | 'status'>[]
  return list.map((entry) => ({ ...entry, status: shownStatus(entry.status) }))
}

/** One conversation, without a message that is still being written. Throws ApiError 404. */
export async function getConversation(rpc: CallRpc, userId: string, id: string): Promise<Conversation> {
  const found = (await rpc('get_conversation', { p_user_id: userId, p_conversation_id: id }).catch(
    (error) => {
      throw databaseAway(error, away)
    },
  )) as Conversation | null
  if (found === null) throw conversationNotFound()
  const { title, status, messages, pending } = found
  return { id: found.id, title, status: shownStatus(status), messages: messages.map(shown), pending }
}

export function conversationNotFound(): ApiError {
  return new ApiError(404, 'conversation_not_found', 'You have no conversation with this id.')
}

/** Clients know `running` and the statuses of an answer. */
function shownStatus(status: string): string {
  return status === 'stopped' || status === 'interrupted' ? 'failed' : status
}

function shown({ id, role, parts, metadata }: UiMessage): UiMessage {
  return { id, role, parts, ...(metadata ? { metadata } : {}) }
}
