import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConversationPage, ConversationSummary } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import { readConversations, readOn } from '../../conversation-pages.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useFirstLabels } from '../labels/labels.tsx'

const none: ConversationSummary[] = []

/** The signed-in user's conversations, one page at a time, for a `ConversationList`. */
export function useConversations(askback: Askback) {
  const labels = useFirstLabels()
  const latestLabels = useRef(labels)
  latestLabels.current = labels
  const [page, setPage] = useState<ConversationPage>()
  const [failure, setFailure] = useState<string>()
  const latest = useRef<Promise<ConversationPage>>(undefined)
  const shown = useRef(0)
  shown.current = page?.conversations.length ?? 0
  /** Reloads as many as are shown; if that fails, they stay. */
  const refresh = useCallback(async () => {
    const read = readConversations(askback, {}, shown.current)
    latest.current = read
    try {
      const stored = await read
      if (latest.current !== read) return
      setPage(stored)
      setFailure(undefined)
    } catch (error) {
      if (latest.current === read) setFailure(describeFailure(error, latestLabels.current))
    }
  }, [askback])
  useEffect(() => void refresh(), [refresh])
  return {
    conversations: page?.conversations ?? none,
    /** Loads the next page; absent if there is none. */
    more: page?.next
      ? async () => {
          const longer = await readOn(askback, {}, page)
          setPage((now) => (now === page ? longer : now))
        }
      : undefined,
    /** A sentence if they could not be loaded. */
    failure,
    refresh,
  }
}
