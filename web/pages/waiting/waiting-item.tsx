import { Link } from 'wouter'
import type { OpenItem } from '../../../client/message.ts'
import { type CardHandlers, PendingCard } from '../../../client/react/pending-card.tsx'
import type { Made } from '../../../client/react/receipt.tsx'
import { frameWords } from '../../shell/words.ts'
import { waitingWords } from './words.ts'

/** An open item with a link to its chat; a receipt once it is decided. */
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
      <PendingCard pending={item} made={made} handlers={handlers} />
    </li>
  )
}
