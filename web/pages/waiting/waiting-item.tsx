import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { OpenItem } from '../../../client/api/message.ts'
import type { Made } from '../../../client/react/cards/receipt.tsx'
import { type CardHandlers, PendingCard } from '../../../client/react/messages/pending-card.tsx'
import { frameWords } from '../../base/frame-words.ts'
import { waitingWords } from './words.ts'

/**
 * An open item with a link to its chat; a receipt once it is decided, in the same room as long as that is in sight: nothing
 * moves up to the finger.
 */
export function WaitingItem({
  item,
  made,
  isFirstOfChat,
  handlers,
}: {
  item: OpenItem
  made: Made | undefined
  /** The previous item is from another chat. */
  isFirstOfChat: boolean
  handlers: CardHandlers
}) {
  const { conversationId, conversationTitle } = item
  const place = useRef<HTMLDivElement>(null)
  const isMade = made !== undefined
  // Measured while the card is still there.
  const minHeight = useMemo(() => (isMade ? heightInSight(place.current) : undefined), [isMade])
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    // Without scroll anchoring, what is being read would move up.
    if (!isMade || !place.current || !CSS.supports('overflow-anchor', 'auto')) return
    const observer = new IntersectionObserver(([now]) => {
      if (now?.isIntersecting === false) setLeft(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isMade])
  return (
    <li>
      {isFirstOfChat && (
        <p className="waiting-from">
          <span className="hidden">{waitingWords().fromChat} </span>
          <Link href={`/chat/${conversationId}`} dir="auto">
            {conversationTitle ?? frameWords().untitled}
          </Link>
        </p>
      )}
      <div ref={place} className="waiting-room" style={isLeft ? undefined : { minHeight }}>
        <PendingCard pending={item} made={made} handlers={handlers} />
      </div>
    </li>
  )
}

/** How much of an element its page shows, in pixels; undefined if nothing. */
function heightInSight(element: HTMLElement | null): number | undefined {
  const page = element?.closest('main')?.getBoundingClientRect()
  if (!element || !page) return undefined
  const { top, bottom } = element.getBoundingClientRect()
  const height = Math.min(bottom, page.bottom) - Math.max(top, page.top)
  return height > 0 ? height : undefined
}
