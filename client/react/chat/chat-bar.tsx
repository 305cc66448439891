import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Askback } from '../../askback.ts'
import { watchCount } from '../../watch-count.ts'
import { Drawing } from '../icons/drawing.tsx'
import { menuIcon, plusIcon } from '../icons/later-icons.ts'
import { showCard } from '../interaction/show-card.ts'
import { focusCard } from '../interaction/use-arrival-focus.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { chatOf } from './composer-field.ts'

/** The title of a conversation, the way to the others where there is no room for their list, and what waits in them. */
export function ChatBar({
  askback,
  userId,
  changes,
  title,
  openId,
  isChosen,
  onList,
  onNew,
  onOpen,
}: {
  askback: Askback
  userId: string
  /** Changes when something was said or decided here. */
  changes: number
  title: string | null
  openId: string | undefined
  /** Whether its user has led here. */
  isChosen: boolean
  onList(): void
  onNew(): void
  onOpen(id: string): void
}) {
  const labels = useChatLabels()
  const [count, setCount] = useState(0)
  useEffect(() => watchCount(`askback-open ${userId}`, askback.countOpen, setCount), [askback, userId])
  // Its own decisions need no clock.
  useEffect(() => {
    if (changes > 0) askback.countOpen().then(setCount, () => {})
  }, [askback, changes])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isChosen && hasLostFocus()) heading.current?.focus({ preventScroll: true })
  }, [isChosen])
  const openOldest = async ({ currentTarget }: MouseEvent) => {
    const chat = chatOf(currentTarget)
    const { items } = await askback.open()
    const oldest = items.find(({ type }) => type !== 'wait')
    if (!oldest) return
    const card = oldest.conversationId === openId && findCard(chat, oldest.itemId)
    if (!card) return onOpen(oldest.conversationId)
    showCard(card)
    focusCard(card)
  }
  return (
    <header className="askback-chat-bar">
      <button
        type="button"
        className="askback-icon-button askback-to-list"
        aria-label={labels.conversations}
        onClick={onList}
      >
        <Drawing lines={menuIcon} />
      </button>
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {title ?? labels.chat}
      </h2>
      {count > 0 && (
        <button
          type="button"
          className="askback-count"
          aria-label={labels.waitingCount(count)}
          onClick={(event) => void openOldest(event).catch(() => {})}
        >
          <span>{labels.waitingCount(count)}</span>
          <b>{count}</b>
        </button>
      )}
      <button
        type="button"
        className="askback-icon-button askback-to-list"
        aria-label={labels.newChat}
        onClick={onNew}
      >
        <Drawing lines={plusIcon} />
      </button>
    </header>
  )
}

/** Whether what had the focus is gone, and the composer does not take it: it would open a phone's keyboard. */
function hasLostFocus(): boolean {
  const { activeElement: active, body } = document
  const isGone = active === null || active === body || active.checkVisibility?.() === false
  return isGone && !window.matchMedia('(hover: hover)').matches
}

/** The card of an item, or of what stands before it at the bottom of a phone. */
function findCard(chat: HTMLElement | null, itemId: string): HTMLElement | null | undefined {
  return (
    chat?.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"] .askback-question`) ??
    chat?.querySelector<HTMLElement>('.askback-docked .askback-question')
  )
}
