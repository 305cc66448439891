import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ConversationQuery } from '../client/askback.ts'
import { readConversations, readOn } from '../client/conversation-pages.ts'
import type { ConversationPage } from '../client/message.ts'
import { useSession } from './session.tsx'

/** How every list of conversations is called. */
export const conversations = 'conversations'
export const openCount = ['open-count']

/**
 * Conversations, as far as they have been loaded: a page at first, the next one with `more`. Read again, they are as many.
 */
export function useConversations(query: Pick<ConversationQuery, 'q' | 'archived'> = {}) {
  const { askback } = useSession()
  const queries = useQueryClient()
  const key = [conversations, query]
  const result = useQuery({
    queryKey: key,
    queryFn: () =>
      readConversations(
        askback,
        query,
        queries.getQueryData<ConversationPage>(key)?.conversations.length ?? 0,
      ),
    // What was found before stays until the next is found.
    placeholderData: (before: ConversationPage | undefined) => (query.q ? before : undefined),
  })
  const { data } = result
  /** Loads the next page; absent where there is none. */
  const more = data?.next
    ? async () => {
        const longer = await readOn(askback, query, data)
        queries.setQueryData<ConversationPage>(key, (now) => (now?.next === data.next ? longer : now))
      }
    : undefined
  return { ...result, more }
}

/** Reads the lists of conversations again, and how much is open in them; resolves when they are there. */
export function useConversationsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    const keys = [[conversations], openCount]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }, [queries])
}
