import { useEffect, useRef, useState } from 'react'
import type { ChatMessage } from '../../../client/message.ts'
import type { ConversationState } from '../../../client/react/use-conversation.ts'
import { focusComposer } from '../../shell/shortcuts.ts'
import { cameBack } from '../integrations/way-back.ts'

/**
 * Whether the last answer was finished while its user was in the settings that a card led to. The link back is gone: the
 * focus goes to the composer, as after an answer that is waited for here, unless a question may still come.
 */
export function useUnread({
  messages,
  pending,
  phase,
  isBusy,
}: Pick<ConversationState, 'phase' | 'pending' | 'isBusy'> & { messages: readonly ChatMessage[] }): boolean {
  const [isBack] = useState(cameBack)
  const isAnswered =
    isBack && phase === 'ready' && !isBusy && pending.length === 0 && endsInText(messages.at(-1))
  useEffect(() => {
    if (isAnswered && document.activeElement === document.body) focusComposer()
  }, [isAnswered])
  const wasBusy = useRef(false)
  wasBusy.current ||= isBusy
  return isAnswered && !wasBusy.current
}

/** Whether nothing was called after the last words of an answer. */
function endsInText(message: ChatMessage | undefined): boolean {
  if (message?.role !== 'assistant') return false
  return message.parts.findLast(({ type }) => !type.startsWith('data-'))?.type === 'text'
}
