import type { ComponentProps } from 'react'
import { StickToBottom } from 'use-stick-to-bottom'
import type { ConversationState } from '../../../client/react/conversation/use-conversation.ts'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Messages } from './messages.tsx'
import { ScrollKeeper } from './scroll-keeper.tsx'
import { useUnread } from './use-unread.ts'
import { chatWords } from './words.ts'

/** The messages so far, newest at the bottom. */
export function ConversationLog({
  phase,
  failure,
  onRetry,
  ...list
}: ComponentProps<typeof Messages> & Pick<ConversationState, 'phase' | 'failure'> & { onRetry(): void }) {
  const isUnread = useUnread({ ...list, phase })
  const words = chatWords()
  return (
    <StickToBottom className="chat-scroll" resize="instant" initial="instant">
      <StickToBottom.Content className="chat-column">
        {phase === 'missing' && <p className="chat-note">{words.missing}</p>}
        {phase === 'loading' && <Skeleton kind="messages" />}
        {phase === 'ready' && <Messages {...list} />}
        {failure && (
          <div className="chat-failure" role="alert">
            <p>{failure}</p>
            <button type="button" onClick={onRetry}>
              {words.tryAgain}
            </button>
          </div>
        )}
      </StickToBottom.Content>
      <ScrollKeeper
        messages={list.messages}
        pending={list.pending}
        isDocked={list.pending.some(({ itemId }) => list.docked?.includes(itemId))}
        isUnread={isUnread}
      />
    </StickToBottom>
  )
}
