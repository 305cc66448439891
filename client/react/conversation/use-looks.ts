import { useEffect, useRef } from 'react'

/** Milliseconds between two checks of a conversation that is waiting for somebody. */
const lookAgainMs = 5000

/**
 * Checks whether another tab has continued or deleted the conversation: when the page becomes visible, and every few
 * seconds while it is waiting for somebody. `isOver` tells `look` that its answer comes too late.
 */
export function useLooks(
  { isIdle, isWaiting }: { isIdle: boolean; isWaiting: boolean },
  look: (isOver: () => boolean) => Promise<void>,
): void {
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    if (!isIdle) return
    let isOver = false
    const begin = () => {
      if (document.visibilityState === 'visible') void latest.current(() => isOver)
    }
    const timer = isWaiting ? setInterval(begin, lookAgainMs) : undefined
    document.addEventListener('visibilitychange', begin)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', begin)
    }
  }, [isIdle, isWaiting])
}
