import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ConversationPage } from '../../client/api/message.ts'
import type { ConversationQuery } from '../../client/askback.ts'
import { readConversations, readOn } from '../../client/conversation-pages.ts'
import { useSession } from './session.tsx'

/** The query key of every list of conversations. */
export const conversations = 'conversations'
export const openCount = ['open-count']

/**
 * The conversations loaded so far: one page at first, the next one with `more`. Refetching keeps their number.
 */
export function useConversations(query: Pick<ConversationQuery, 'q' | 'archived' | 'callsOf'> = {}) {
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
    // Earlier results stay until the new ones arrive.
    placeholderData: (before: ConversationPage | undefined) => (query.q ? before : undefined),
  })
  const { data } = result
  /** Loads the next page; absent if there is none. */
  const more = data?.next
    ? async () => {
        const longer = await readOn(askback, query, data)
        queries.setQueryData<ConversationPage>(key, (now) => (now?.next === data.next ? longer : now))
      }
    : undefined
  return { ...result, more }
}

/** Reloads the lists of conversations and the number of open items; resolves when they have arrived. */
export function useConversationsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    const keys = [[conversations], openCount]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }, [queries])
}
