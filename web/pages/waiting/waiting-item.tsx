import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import type { OpenItem } from '../../../client/message.ts'
import { type CardHandlers, PendingCard } from '../../../client/react/pending-card.tsx'
import type { Made } from '../../../client/react/receipt.tsx'
import { frameWords } from '../../shell/words.ts'
import { waitingWords } from './words.ts'

/** An open item with a link to its chat; a receipt once it is decided, in the same room: nothing moves up to the finger. */
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
  const place = useRef<HTMLLIElement>(null)
  const isMade = made !== undefined
  // Measured while the card is still there.
  const minHeight = useMemo(() => (isMade ? heightInSight(place.current) : undefined), [isMade])
  return (
    <li ref={place} style={{ minHeight }}>
      {isFirstOfChat && (
        <p className="waiting-from">
          <span className="hidden">{waitingWords().fromChat} </span>
          <Link href={`/chat/${conversationId}`} dir="auto">
            {conversationTitle ?? frameWords().untitled}
          </Link>
        </p>
      )}
      <PendingCard pending={item} made={made} handlers={handlers} />
    </li>
  )
}

/** How much of an element its page shows, in pixels. */
function heightInSight(element: HTMLElement | null): number {
  const page = element?.closest('main')?.getBoundingClientRect()
  if (!element || !page) return 0
  const { top, bottom } = element.getBoundingClientRect()
  return Math.max(0, Math.min(bottom, page.bottom) - Math.max(top, page.top))
}
