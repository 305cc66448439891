import { type ComponentProps, type RefObject, useEffect, useRef } from 'react'
import { StickToBottom } from 'use-stick-to-bottom'
import type { ConversationState } from '../conversation/use-conversation.ts'
import { useKeyboardHeight } from '../interaction/use-keyboard-height.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { ChatMessages } from './chat-messages.tsx'
import { isOverlaid } from './composer-field.ts'
import { type FoundMessage, ScrollKeeper } from './scroll-keeper.tsx'
import { useUnread } from './use-unread.ts'

/** The messages so far, newest at the bottom. */
export function ConversationLog({
  phase,
  failure,
  onRetry,
  isBack,
  found,
  onChange,
  onStop,
  pane,
  ...list
}: ComponentProps<typeof ChatMessages> &
  Pick<ConversationState, 'phase' | 'failure'> & {
    onRetry(): void
    /** The user has come back from the settings that a card led to. */
    isBack: boolean
    /** Where a search has led to. */
    found: FoundMessage | undefined
    /** Called when it is stored, so that it is listed while its first answer is written, and when what is open changes. */
    onChange(): void
    onStop(): Promise<void>
    /** What all of it stands in. */
    pane: RefObject<HTMLElement | null>
  }) {
  useKeyboardHeight()
  const open = list.pending.map(({ itemId }) => itemId).join(' ')
  const state = phase === 'ready' ? `${list.messages.length > 1} ${open}` : ''
  // What was loaded is known already.
  const told = useRef(phase === 'ready' ? 'false ' : '')
  useEffect(() => {
    if (told.current !== '' && told.current !== state) onChange()
    told.current = state
  }, [state])
  const { isBusy } = list
  useEffect(() => {
    if (!isBusy) return
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isOverlaid(pane.current)) void onStop()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [isBusy, onStop, pane])
  const isUnread = useUnread({ ...list, phase, isBack })
  const labels = useChatLabels()
  return (
    <StickToBottom className="askback-chat-scroll" resize="instant" initial="instant">
      <StickToBottom.Content className="askback-chat-column">
        {phase === 'missing' && <p className="askback-quiet">{labels.missing}</p>}
        {phase === 'loading' && <LoadingMessages />}
        {phase === 'ready' && <ChatMessages {...list} />}
        {failure && (
          <div className="askback-chat-failure" role="alert">
            <p>{failure}</p>
            <button type="button" className="askback-button" onClick={onRetry}>
              {labels.tryAgain}
            </button>
          </div>
        )}
      </StickToBottom.Content>
      <ScrollKeeper
        messages={list.messages}
        pending={list.pending}
        isDocked={list.pending.some(({ itemId }) => list.docked?.includes(itemId))}
        isUnread={isUnread}
        found={found}
      />
    </StickToBottom>
  )
}

/** A placeholder in the shape of what is loading. */
function LoadingMessages() {
  return (
    <div className="askback-loading" role="status">
      <span className="askback-announced">{useChatLabels().loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}
