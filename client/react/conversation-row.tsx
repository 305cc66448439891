import type { MouseEvent, ReactNode } from 'react'
import type { ConversationSummary } from '../message.ts'
import { useFirstLabels } from './labels.tsx'
import { useStop } from './roving-list.tsx'

export interface ConversationRowProps {
  conversation: ConversationSummary
  isOpen: boolean
  href: string
  onOpen(id: string): void
  /** The title as it is shown, where it is more than a text. */
  shownTitle?: ReactNode
  /** What stands below the title. */
  children?: ReactNode
}

/** One conversation of a list, with a dot where it waits for its user. */
export function ConversationRow({
  conversation: { id, title, open },
  isOpen,
  href,
  onOpen,
  shownTitle,
  children,
  titleId,
  menu,
}: ConversationRowProps & {
  /** Id of the title, for a menu that is described by it. */
  titleId?: string
  /** A button for what can be done with it: the arrows lead to it. */
  menu?: ReactNode
}) {
  const labels = useFirstLabels()
  const stop = useStop(id)
  const name = title ?? labels.untitled
  const follow = (event: MouseEvent) => {
    // Otherwise the browser opens it in a place of its own.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <li data-open={isOpen}>
      <a href={href} onClick={follow} aria-current={isOpen ? 'page' : undefined} title={name} {...stop}>
        {open.count > 0 && (
          <span
            className="askback-waits"
            role="img"
            aria-label={isLater(open.kinds) ? labels.continuesLater : labels.waitsForYou}
          />
        )}
        <span id={titleId} className="askback-conversation-title" dir="auto">
          {shownTitle ?? name}
        </span>
        {children}
      </a>
      {menu}
    </li>
  )
}

/** The clock goes on by itself. */
function isLater(kinds: ConversationSummary['open']['kinds']): boolean {
  return kinds.every((kind) => kind === 'wait')
}
