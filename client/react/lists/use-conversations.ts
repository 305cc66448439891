import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ConversationPage, ConversationSummary } from '../../api/message.ts'
import type { Askback, ConversationQuery } from '../../askback.ts'
import { readConversations, readOn } from '../../conversation-pages.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useFirstLabels } from '../labels/labels.tsx'

const none: ConversationSummary[] = []

/** The signed-in user's conversations, one page at a time, for a `ConversationList`; with `q` for `FoundConversations`. */
export function useConversations(askback: Askback, query: Pick<ConversationQuery, 'q' | 'scope'> = {}) {
  const labels = useFirstLabels()
  const latestLabels = useRef(labels)
  latestLabels.current = labels
  const [page, setPage] = useState<ConversationPage>()
  const [failure, setFailure] = useState<string>()
  const latest = useRef<Promise<ConversationPage>>(undefined)
  const shown = useRef(0)
  shown.current = page?.conversations.length ?? 0
  const { q, scope } = query
  const asked = useMemo(() => ({ q, scope }), [q, scope])
  /** What the page answers. */
  const answered = useRef(asked)
  /** Reloads as many as are shown; if that fails, they stay. */
  const refresh = useCallback(async () => {
    const read = readConversations(askback, asked, answered.current === asked ? shown.current : 0)
    latest.current = read
    try {
      const stored = await read
      if (latest.current !== read) return
      answered.current = asked
      setPage(stored)
      setFailure(undefined)
    } catch (error) {
      if (latest.current === read) setFailure(describeFailure(error, latestLabels.current))
    }
  }, [askback, asked])
  useEffect(() => void refresh(), [refresh])
  return {
    conversations: page?.conversations ?? none,
    /** Loads the next page; absent if there is none. */
    more: page?.next
      ? async () => {
          const longer = await readOn(askback, asked, page)
          setPage((now) => (now === page ? longer : now))
        }
      : undefined,
    /** Whether these are the ones that were asked for. */
    isLoaded: page !== undefined && answered.current === asked,
    /** A sentence if they could not be loaded. */
    failure,
    refresh,
  }
}
