import type { ChatMessage, Pending } from './message.ts'

/** Merges both lists; for an item in both, the newer list wins. */
export function joinItems<One extends { itemId: string }>(
  known: readonly One[],
  newer: readonly One[],
): One[] {
  const ids = new Set(newer.map(({ itemId }) => itemId))
  return [...known.filter(({ itemId }) => !ids.has(itemId)), ...newer]
}

/** Whether the messages show the call as still waiting for this decision, or do not contain it. */
export function isAsked(messages: readonly ChatMessage[], { itemId, toolCallId }: Pending): boolean {
  const holds = (part: ChatMessage['parts'][number] | null) =>
    (part as { toolCallId?: string } | null)?.toolCallId === toolCallId
  const message = messages.findLast(({ parts }) => parts.some(holds))
  const part = message?.parts.findLast(holds) as { state?: string; approval?: { id: string } } | undefined
  if (!message || !part) return true
  if (part.state === 'approval-requested') return part.approval?.id === itemId
  const isOpen = (one: ChatMessage['parts'][number] | null) =>
    one?.type === 'data-question' && one.id === toolCallId && !one.data.answered
  return part.state === 'output-error' && message.parts.some(isOpen)
}
