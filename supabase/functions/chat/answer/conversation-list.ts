import { z } from 'zod'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { notRead, shownStatus } from './conversations.ts'
import { findInTitle, makeExcerpt, type Ranges } from './excerpt.ts'

/** Where the words of a search stand. */
export interface Match {
  /** In the title. */
  title: Ranges
  /** The message that has most of them; absent where only the title has them. */
  message?: { id: string; role: 'user' | 'assistant'; createdAt: string; text: string; ranges: Ranges }
}

const listSchema = z.object({
  conversations: z.array(
    z.looseObject({
      title: z.string().nullable(),
      status: z.string(),
      updatedAt: z.string(),
      /** What waits for the user. */
      open: z.object({ count: z.number(), kinds: z.array(z.string()), oldest: z.string().nullable() }),
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
  /** Of a search, in lower case. */
  words: z.array(z.string()).optional(),
})
type StoredConversation = z.infer<typeof listSchema>['conversations'][number]
type ListedConversation = Omit<StoredConversation, 'found'> & { match?: Match }

/**
 * The user's conversations, the pinned ones first, then the newest first: at most `limit` (1 to 200), those behind
 * `before` if given: the `next` of the page before, or a time. `archived`: the archived ones instead. With `q`, of
 * which 500 characters are read: all in which its words were said, or are in the title, newest first, and where they stand.
 */
export async function listConversations(
  rpc: CallRpc,
  userId: string,
  query: { limit?: string; before?: string; q?: string; archived?: string },
): Promise<{ conversations: ListedConversation[]; next?: string }> {
  const page = { p_user_id: userId, p_limit: readLimit(query.limit), p_before: readBefore(query.before) }
  const q = query.q?.trim() ?? ''
  const asked =
    q === ''
      ? rpc('list_conversations', { ...page, p_archived: readArchived(query.archived) })
      : rpc('search_conversations', { ...page, p_query: q.slice(0, 500) })
  const { conversations, next, words } = await askDatabase(asked, listSchema, notRead)
  if (conversations.length === 0) await requireAccount(rpc, userId)
  return {
    conversations: conversations.map(({ found, ...one }) => ({
      ...one,
      status: shownStatus(one.status),
      ...(words ? { match: showMatch(one.title, found, words, q) } : {}),
    })),
    ...(next === null ? {} : { next }),
  }
}

function showMatch(
  title: string | null,
  found: StoredConversation['found'],
  words: readonly string[],
  q: string,
): Match {
  // What is no word is found in titles only, as a whole.
  const inTitle = findInTitle(title ?? '', [q.toLowerCase(), ...words])
  if (!found) return { title: inTitle }
  const { messageId: id, text, ...message } = found
  return { title: inTitle, message: { id, ...message, ...makeExcerpt(text, words) } }
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? 50 : Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw new ApiError(400, 'bad_request', '"limit" is a number from 1 to 200.')
}

/** A time, and behind it which conversation of that time, as `next` says it. */
function readBefore(text: string | undefined): string | null {
  if (text === undefined) return null
  const [, given = '', place = ''] = /^([^,]*)(,[01],[\w.~-]{1,64})?$/.exec(text) ?? []
  // A plus that was not encoded arrives as a blank.
  const time = new Date(given.replace(' ', '+'))
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  if (!/^\d{4}-/.test(iso)) {
    const sentence = '"before" is the "next" of the page before, or a time such as 2026-01-31T12:00:00Z.'
    throw new ApiError(400, 'bad_request', sentence)
  }
  // What is finer than JavaScript's milliseconds.
  const [, micros = ''] = /\.\d{3}(\d{1,3})/.exec(given) ?? []
  return `${iso.slice(0, -1)}${micros}Z${place}`
}

function readArchived(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  throw new ApiError(400, 'bad_request', `"archived" is true or false, not ${JSON.stringify(text)}.`)
}
