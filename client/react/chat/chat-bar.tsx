import { useEffect, useState } from 'react'
import type { Askback } from '../../askback.ts'
import { watchCount } from '../../watch-count.ts'
import { Drawing } from '../icons/drawing.tsx'
import { menuIcon, plusIcon } from '../icons/later-icons.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'

/** The title of a conversation, the way to the others where there is no room for their list, and what waits in them. */
export function ChatBar({
  askback,
  userId,
  changes,
  title,
  onList,
  onNew,
  onOpen,
}: {
  askback: Askback
  userId: string
  /** Changes when something was said or decided here. */
  changes: number
  title: string | null
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
  const openOldest = async () => {
    const { items } = await askback.open()
    const oldest = items.find(({ type }) => type !== 'wait')
    if (oldest) onOpen(oldest.conversationId)
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
      <h2 dir="auto">{title ?? labels.chat}</h2>
      {count > 0 && (
        <button
          type="button"
          className="askback-count"
          aria-label={labels.waitingCount(count)}
          onClick={() => void openOldest().catch(() => {})}
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
