import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { watchCount } from '../../client/watch-count.ts'
import { conversations, openCount } from '../base/conversation-pages.ts'
import { useSession } from '../base/session.tsx'

/** How many items are waiting for the user and their groups, in all conversations. */
export function useOpenCount(): number {
  const { askback, session } = useSession()
  const { data = 0 } = useQuery({
    queryKey: openCount,
    queryFn: askback.countWaiting,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: Boolean(session),
  })
  return data
}

/** Keeps the number up to date while a tab is open, and notifies about new items if the user wants that. */
export function useWatchedCount(): void {
  const { askback, session } = useSession()
  const queries = useQueryClient()
  const userId = session?.user.id
  useEffect(() => {
    let known: number | undefined
    const read = () =>
      queries.fetchQuery({ queryKey: openCount, queryFn: askback.countWaiting, staleTime: 0 })
    return watchCount(`askback-open ${userId}`, read, (count, isOwn) => {
      queries.setQueryData(openCount, count)
      if (known !== undefined && count !== known)
        void queries.invalidateQueries({ queryKey: [conversations] })
      // Only the tab that asked notifies: once, however many tabs there are.
      if (known !== undefined && count > known && isOwn)
        // Offline, the code that notifies may not load: then only the number on the page tells.
        void import('./notify.ts').then(({ notify }) => notify(askback, `${userId}`)).catch(() => {})
      known = count
    })
  }, [userId, askback, queries])
}
