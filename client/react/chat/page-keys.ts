import { useEffect } from 'react'
import { useStickToBottomContext } from 'use-stick-to-bottom'

/** How much of the window a page key scrolls, as in browsers. */
const share = 7 / 8
const directions: Record<string, number> = { PageUp: -1, PageDown: 1 }

/** Lets Page Up and Page Down scroll the conversation from wherever they would do nothing. */
export function usePageKeys(): void {
  const { scrollRef, stopScroll } = useStickToBottomContext()
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const { key, target } = event
      const direction = directions[key]
      if (direction === undefined || takesPages(target as Element) || event.defaultPrevented) return
      event.preventDefault()
      if (direction < 0) stopScroll()
      scrollRef.current?.scrollBy({ top: direction * share * scrollRef.current.clientHeight })
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [scrollRef, stopScroll])
}

/** Whether page keys do something there: move in what is typed or chosen, or scroll what is around it. */
function takesPages(element: Element | null): boolean {
  if (element === null || element === document.body) return false
  if (element.matches('select, [role=menu], [role=dialog]') || (element as HTMLTextAreaElement).value)
    return true
  const { overflowY } = getComputedStyle(element)
  const scrolls = overflowY !== 'visible' && element.scrollHeight > element.clientHeight
  return scrolls || takesPages(element.parentElement)
}
