import { type ComponentProps, useCallback, useRef } from 'react'
import type { ChatMessage, Rating } from '../../../client/api/message.ts'
import type { ConversationState } from '../../../client/react/conversation/use-conversation.ts'
import { ToolNamesProvider } from '../../../client/react/labels/tool-names.tsx'
import { MessageList } from '../../../client/react/messages/message-list.tsx'
import type { CardHandlers } from '../../../client/react/messages/pending-card.tsx'
import { useTools } from '../../queries.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageTimes } from './message-time.tsx'
import { renderText } from './rendered-text.tsx'

type List = ComponentProps<typeof MessageList>

export interface Actions {
  onEdit(message: ChatMessage, text: string): void
  onAgain(message: ChatMessage): void
  onRate(message: ChatMessage, rating: Rating | null): Promise<unknown>
}

/** The messages, with the tools' titles. */
export function Messages({
  handlers,
  actions,
  times,
  ...list
}: Omit<List, 'handlers'> & { handlers: CardHandlers; actions: Actions; times: ConversationState['times'] }) {
  const newest = useRef(actions)
  newest.current = actions
  // The same function on every render: messages that have not changed are not rendered again.
  const renderActions = useCallback(
    (message: ChatMessage, text: string) => (
      <MessageActions
        id={message.id}
        text={text}
        isUser={message.role === 'user'}
        rating={message.metadata?.feedback?.rating}
        onEdit={() => newest.current.onEdit(message, text)}
        onAgain={() => newest.current.onAgain(message)}
        onRate={(rating) => newest.current.onRate(message, rating)}
      />
    ),
    [],
  )
  return (
    <ToolNamesProvider tools={useTools()}>
      <MessageTimes times={times}>
        <MessageList {...list} handlers={{ ...handlers, renderText, renderActions }} />
      </MessageTimes>
    </ToolNamesProvider>
  )
}
