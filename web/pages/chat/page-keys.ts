import { useEffect } from 'react'
import { useStickToBottomContext } from 'use-stick-to-bottom'

/** How much of the window a page key scrolls, as in browsers. */
const share = 7 / 8
const directions: Record<string, number> = { PageUp: -1, PageDown: 1 }

/** Lets Page Up and Page Down scroll the conversation from where they would do nothing: an empty message box, or the page. */
export function usePageKeys(): void {
  const { scrollRef, stopScroll } = useStickToBottomContext()
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const { key, target } = event
      const direction = directions[key]
      const isIdle =
        target === document.body || (target instanceof HTMLTextAreaElement && target.value === '')
      if (direction === undefined || !isIdle || event.defaultPrevented) return
      event.preventDefault()
      if (direction < 0) stopScroll()
      scrollRef.current?.scrollBy({ top: direction * share * scrollRef.current.clientHeight })
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [scrollRef, stopScroll])
}
