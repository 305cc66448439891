import { useEffect } from 'react'
import { useStickToBottomContext } from 'use-stick-to-bottom'
import { Icon } from '../../icons.tsx'

/** What is unfolded stays where it is; whoever has scrolled up comes back with one click. */
export function ScrollKeeper() {
  const { scrollRef, stopScroll, isAtBottom, scrollToBottom } = useStickToBottomContext()
  useEffect(() => {
    const scroller = scrollRef.current
    const stay = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded], summary')) stopScroll()
    }
    scroller?.addEventListener('click', stay, { capture: true })
    return () => scroller?.removeEventListener('click', stay, { capture: true })
  }, [scrollRef, stopScroll])
  if (isAtBottom) return null
  return (
    <button type="button" className="round to-newest" onClick={() => void scrollToBottom()}>
      <Icon name="down" />
      <span className="hidden">Newest message</span>
    </button>
  )
}
