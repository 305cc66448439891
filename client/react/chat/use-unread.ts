import { useEffect, useRef, useState } from 'react'
import type { ChatMessage, Pending } from '../../api/message.ts'
import type { ConversationState } from '../conversation/use-conversation.ts'

/**
 * Whether the last answer is the one that its user has come back for from the settings that a card led to, or came while
 * nobody saw the page.
 */
export function useUnread({
  messages,
  pending,
  phase,
  isBusy,
  isBack,
}: Pick<ConversationState, 'phase' | 'isBusy'> & {
  messages: readonly ChatMessage[]
  pending: readonly Pending[]
  isBack: boolean
}): boolean {
  const [awaited, setAwaited] = useState<string>()
  const last = messages.at(-1)
  const isOver = phase === 'ready' && !isBusy && pending.length === 0 && endsInText(last)
  const isAnswered = isBack && isOver
  // Later answers are read as they come.
  if (isAnswered && awaited === undefined) setAwaited(last?.id)
  const [missed, setMissed] = useState<string>()
  // Unknown until the conversation is there.
  const wasOver = useRef<boolean>(undefined)
  const id = last?.id
  useEffect(() => {
    if (phase !== 'ready') return
    if (isOver && wasOver.current === false && document.hidden) setMissed(id)
    wasOver.current = isOver
  }, [phase, isOver, id])
  return isOver && (id === missed || (isBack && id === awaited))
}

/** Whether nothing was called after the last words of an answer. */
function endsInText(message: ChatMessage | undefined): boolean {
  if (message?.role !== 'assistant') return false
  const last = message.parts.findLast(({ type }) => type === 'text' || type.startsWith('tool-'))
  return last?.type === 'text'
}
