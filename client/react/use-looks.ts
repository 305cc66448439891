import { useEffect, useRef } from 'react'

/** Milliseconds between two looks at a conversation that waits for somebody. */
const lookAgainMs = 5000

/**
 * Looks at what another tab may have gone on with, or deleted, when the page is seen again, and every few seconds while
 * somebody is waited for. `look` is told by `isOver` when its answer comes too late.
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
