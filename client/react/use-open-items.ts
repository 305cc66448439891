import { useCallback, useEffect, useState } from 'react'
import type { Askback } from '../askback.ts'
import type { OpenItem } from '../message.ts'
import { watchCount } from '../watch-count.ts'

/**
 * What waits for a user, in all conversations, for an app's own bell: a tab that is seen knows of news within seconds,
 * others within a minute, and however many tabs there are, one of them asks.
 *
 * @param userId Whose; undefined while nobody is signed in.
 */
export function useOpenItems(askback: Askback, userId: string | undefined) {
  const [count, setCount] = useState(0)
  const [items, setItems] = useState<readonly OpenItem[]>([])
  /** Reads the items now; what cannot be read leaves those that are known. */
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
    /** How many of them the user can decide; what waits for the clock is not counted. */
    count,
    /** Oldest first. */
    items,
    refresh,
  }
}
