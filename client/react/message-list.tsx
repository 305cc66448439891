import { useMemo, useState } from 'react'
import type { ChatMessage, Pending } from '../message.ts'
import { Message, type MessageHandlers } from './message.tsx'
import { MessageErrors } from './message-errors.tsx'

/** Messages that are drawn at first; earlier ones on request. */
const shownAtFirst = 60
const nothing: readonly Pending[] = []

/**
 * The messages of a conversation with what they ask, the newest last. While one is being written the log is busy, so
 * that screen readers say it once, when it is done.
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
  const [limit, setLimit] = useState(shownAtFirst)
  const shown = messages.slice(-limit)
  const byMessage = useMemo(() => groupByMessage(messages, pending), [messages, pending])
  const last = messages.at(-1)
  return (
    <div
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      aria-busy={isBusy}
      className="askback-messages"
    >
      {shown.length < messages.length && (
        <button type="button" className="askback-earlier" onClick={() => setLimit(limit + shownAtFirst)}>
          Show earlier messages
        </button>
      )}
      {shown.map((message) => (
        <MessageErrors key={message.id} message={message}>
          <Message
            message={message}
            pending={byMessage.get(message.id) ?? nothing}
            handlers={handlers}
            isWriting={isBusy && message === last}
          />
        </MessageErrors>
      ))}
      {isBusy && (last?.role === 'user' || last?.parts.length === 0) && (
        <p className="askback-working">
          <span className="askback-quiet">Working …</span>
        </p>
      )}
    </div>
  )
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
      (part as { toolCallId?: string } | null)?.toolCallId === one.toolCallId
    const message = messages.find(({ parts }) => parts.some(holds)) ?? lastAnswer
    if (message) groups.set(message.id, [...(groups.get(message.id) ?? []), one])
  }
  return groups
}
