import { type ComponentProps, useMemo } from 'react'
import type { ChatMessage, Rating } from '../../../client/message.ts'
import { MessageList } from '../../../client/react/message-list.tsx'
import { ToolNamesProvider } from '../../../client/react/tool-names.tsx'
import { useTools } from '../../queries.ts'
import { MessageActions } from './message-actions.tsx'

type List = ComponentProps<typeof MessageList>

interface Actions {
  onEdit(message: ChatMessage, text: string): void
  onAgain(message: ChatMessage): void
  onRate(message: ChatMessage, rating: Rating | null): Promise<unknown>
}

/** The messages with the tools' own titles. */
export function Messages({ handlers, actions, ...list }: List & { actions: Actions }) {
  const all = useMemo(
    () => ({
      ...handlers,
      renderActions: (message: ChatMessage, text: string) => (
        <MessageActions
          text={text}
          at={message.metadata?.createdAt}
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
      <MessageList {...list} handlers={all} />
    </ToolNamesProvider>
  )
}
