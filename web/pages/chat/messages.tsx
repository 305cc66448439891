import { type ComponentProps, useMemo } from 'react'
import type { ChatMessage, Rating } from '../../../client/message.ts'
import { MessageList } from '../../../client/react/message-list.tsx'
import { ToolNamesProvider } from '../../../client/react/tool-names.tsx'
import type { ConversationState } from '../../../client/react/use-conversation.ts'
import { useTools } from '../../queries.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageTimes } from './message-time.tsx'

type List = ComponentProps<typeof MessageList>

interface Actions {
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
}: List & { actions: Actions; times: ConversationState['times'] }) {
  const all = useMemo(
    () => ({
      ...handlers,
      renderActions: (message: ChatMessage, text: string) => (
        <MessageActions
          id={message.id}
          text={text}
          isUser={message.role === 'user'}
          rating={message.metadata?.feedback?.rating}
          onEdit={() => actions.onEdit(message, text)}
          onAgain={() => actions.onAgain(message)}
          onRate={(rating) => actions.onRate(message, rating)}
        />
      ),
    }),
    [handlers, actions],
  )
  return (
    <ToolNamesProvider tools={useTools()}>
      <MessageTimes times={times}>
        <MessageList {...list} handlers={all} />
      </MessageTimes>
    </ToolNamesProvider>
  )
}
