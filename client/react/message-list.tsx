import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ChatMessage, Pending } from '../message.ts'
import { Message, type MessageHandlers, Working } from './message.tsx'

/** Messages that are drawn at once, and with each step that follows while nothing else is to be done. */
const drawnAtOnce = 12
const nothing: readonly Pending[] = []

/**
 * The messages of a conversation with what they ask, the newest last. While one is being written the log is busy, so
 * that screen readers say it once, when it is done; the same while earlier messages are still being drawn.
 */
export function MessageList({
  messages,
  pending,
  isBusy,
  handlers,
}: {
  messages: readonly ChatMessage[]
  pending: readonly Pending[]
  isBusy: boolean
  /** Keep it the same object between renders. */
  handlers: MessageHandlers
}) {
  const drawn = useGrowingCount(messages.length)
  const byMessage = useMemo(() => groupByMessage(messages, pending), [messages, pending])
  const last = messages.at(-1)
  return (
    <div
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      aria-busy={isBusy || drawn < messages.length}
      className="askback-messages"
    >
      {messages.slice(-drawn).map((message) => (
        <Message
          key={message.id}
          message={message}
          pending={byMessage.get(message.id) ?? nothing}
          handlers={handlers}
          isWriting={isBusy && message === last}
        />
      ))}
      {isBusy && last?.role === 'user' && <Working />}
    </div>
  )
}

/**
 * How many messages are drawn, counted from the newest: a few at first, all of them soon, so that a long conversation
 * opens at once and is there as a whole for whoever scrolls or searches in it.
 */
function useGrowingCount(total: number): number {
  const [count, setCount] = useState(drawnAtOnce)
  useEffect(() => {
    if (count >= total) return
    return whenIdle(() => startTransition(() => setCount(count + drawnAtOnce)))
  }, [count, total])
  return Math.max(count, 1)
}

/** Returns what calls it off. Safari has no idle callbacks. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, { timeout: 200 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, 20)
  return () => clearTimeout(timer)
}

/** What is asked, by the message that its call stands in; what stands in none is asked under the last answer. */
function groupByMessage(
  messages: readonly ChatMessage[],
  pending: readonly Pending[],
): Map<string, Pending[]> {
  const groups = new Map<string, Pending[]>()
  const lastAnswer = messages.findLast(({ role }) => role === 'assistant') ?? messages.at(-1)
  for (const one of pending) {
    const holds = (part: ChatMessage['parts'][number]) =>
      'toolCallId' in part && part.toolCallId === one.toolCallId
    const message = messages.findLast(({ parts }) => parts.some(holds)) ?? lastAnswer
    if (message) groups.set(message.id, [...(groups.get(message.id) ?? []), one])
  }
  return groups
}
