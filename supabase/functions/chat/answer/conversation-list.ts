import { z } from 'zod'
import type { ConversationQuery, match, summary } from '../../../../shared/api/conversation.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { shownStatus } from './conversations.ts'
import { findInTitle, makeExcerpt } from './excerpt.ts'

type Match = z.output<ReturnType<typeof match>>
type ListedConversation = z.output<ReturnType<typeof summary>>

const kindSchema = z.enum(['input', 'approval', 'connection', 'wait'])

const listSchema = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      status: z.string(),
      updatedAt: z.string(),
      createdAt: z.string(),
      agentId: z.string().nullable(),
      /** The items waiting for the user. */
      open: z.object({ count: z.number(), kinds: z.array(kindSchema), oldest: z.string().nullable() }),
      /** Of calls of a program over MCP. */
      calls: z.object({ app: z.string(), day: z.string(), count: z.number() }).nullable(),
      pinned: z.boolean(),
      archived: z.boolean(),
      /** The text in which most words of a search were found. */
      found: z
        .object({
          messageId: z.string(),
          role: z.enum(['user', 'assistant']),
          createdAt: z.string(),
          text: z.string(),
        })
        .nullable(),
    }),
  ),
  next: z.string().nullable(),
  /** Of a search. */
  words: z.array(z.string()).optional(),
})
type StoredConversation = z.infer<typeof listSchema>['conversations'][number]

/**
 * The user's conversations, pinned ones first, then newest first: at most `limit` (1 to 200), those after
 * `before` if given: `next` of the previous page, or a time. `archived`: the archived ones instead. With `q`, of
 * which 500 characters are read: all that contain its words, in messages or the title, newest first, with their positions.
 */
export async function listConversations(
  rpc: CallRpc,
  userId: string,
  query: ConversationQuery,
): Promise<{ conversations: ListedConversation[]; next?: string }> {
  const page = {
    p_user_id: userId,
    p_limit: query.limit ?? 50,
    p_before: query.before ?? null,
    p_scope: query.scope ?? null,
  }
  const q = query.q?.trim() ?? ''
  const asked =
    q === ''
      ? rpc('list_conversations', {
          ...page,
          p_archived: query.archived === 'true',
          p_calls_of: query.callsOf ?? null,
        })
      : rpc('search_conversations', { ...page, p_query: q.slice(0, 500) })
  const { conversations, next, words } = await askDatabase(asked, listSchema, 'not_read')
  return {
    conversations: conversations.map(({ found, calls, ...one }) => ({
      ...one,
      calls: calls ?? undefined,
      status: shownStatus(one.status),
      match: words && showMatch(one.title, found, words, q),
    })),
    next: next ?? undefined,
  }
}

function showMatch(
  title: string | null,
  found: StoredConversation['found'],
  words: readonly string[],
  q: string,
): Match {
  // Symbols are only found in titles, as a whole.
  const inTitle = findInTitle(title ?? '', [q, ...words])
  if (!found) return { title: inTitle }
  const { messageId: id, text, ...message } = found
  return { title: inTitle, message: { id, ...message, ...makeExcerpt(text, words) } }
}
