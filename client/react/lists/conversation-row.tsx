import type { MouseEvent, ReactNode } from 'react'
import type { ConversationSummary } from '../../api/message.ts'
import { useFirstLabels } from '../labels/labels.tsx'
import { useStop } from './roving-list.tsx'

export interface ConversationRowProps {
  conversation: ConversationSummary
  isOpen: boolean
  href: string
  onOpen(id: string): void
  /** The title as it is displayed, if it is more than text. */
  shownTitle?: ReactNode
  /** Shown below the title. */
  children?: ReactNode
}

/** One conversation in a list, with a dot if it is waiting for the user. Of what an app has done over MCP, it says how many. */
export function ConversationRow({
  conversation: { id, title, open, calls },
  isOpen,
  href,
  onOpen,
  shownTitle,
  children,
  titleId,
  menu,
}: ConversationRowProps & {
  /** Id of the title, for a menu to refer to. */
  titleId?: string
  /** A menu button, reached with the arrow keys. */
  menu?: ReactNode
}) {
  const labels = useFirstLabels()
  const stop = useStop(id)
  const name = title ?? labels.untitled
  const follow = (event: MouseEvent) => {
    // With a modifier the browser opens a new tab or window.
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
        {calls && <small>{calls.count}</small>}
        {children}
      </a>
      {menu}
    </li>
  )
}

/** A wait for the clock continues by itself. */
function isLater(kinds: ConversationSummary['open']['kinds']): boolean {
  return kinds.every((kind) => kind === 'wait')
}
