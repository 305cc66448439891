import type { ComponentProps } from 'react'
import { StickToBottom } from 'use-stick-to-bottom'
import type { ConversationState } from '../../../client/react/use-conversation.ts'
import { Messages } from './messages.tsx'
import { ScrollKeeper } from './scroll-keeper.tsx'

/** What was said in a conversation, with the newest in view. */
export default function ConversationLog({
  phase,
  failure,
  onRetry,
  ...list
}: ComponentProps<typeof Messages> & {
  phase: ConversationState['phase']
  /** Why the last turn could not be done. */
  failure: string | undefined
  onRetry(): void
}) {
  return (
    <StickToBottom className="chat-scroll" resize="instant" initial="instant">
      <StickToBottom.Content className="chat-column">
        {phase === 'missing' && (
          <p className="chat-note">
            This chat is not in your account. A link from a chat program opens in the account whose token it
            uses.
          </p>
        )}
        {phase === 'loading' && <p className="chat-note">Loading …</p>}
        {phase === 'ready' && <Messages {...list} />}
        {failure && (
          <div className="chat-failure" role="alert">
            <p>{failure}</p>
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          </div>
        )}
      </StickToBottom.Content>
      <ScrollKeeper pending={list.pending} />
    </StickToBottom>
  )
}
