import { useCallback, useEffect, useState } from 'react'
import type { OpenItem } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import { watchCount } from '../../watch-count.ts'

/**
 * The user's open items in all conversations, for a notification bell: a visible tab is updated within seconds, others
 * within a minute, and only one of all tabs asks the server.
 *
 * @param userId The user; undefined while nobody is signed in.
 */
export function useOpenItems(askback: Askback, userId: string | undefined) {
  const [count, setCount] = useState(0)
  const [items, setItems] = useState<readonly OpenItem[]>([])
  /** Reloads the items; if that fails, the known ones stay. */
  const refresh = useCallback(async () => {
    const read = await askback.open().catch(() => undefined)
    if (read) setItems(read.items)
  }, [askback])
  useEffect(() => {
    setCount(0)
    setItems([])
    if (userId === undefined) return
    return watchCount(`askback-open ${userId}`, askback.countOpen, setCount)
  }, [askback, userId])
  useEffect(() => {
    if (count === 0) setItems([])
    else void refresh()
  }, [count, refresh])
  return {
    /** How many the user can decide; waits for the clock are not counted. */
    count,
    /** Oldest first. */
    items,
    refresh,
  }
}
