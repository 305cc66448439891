import { type ComponentProps, useCallback, useMemo, useRef } from 'react'
import type { ChatMessage, Rating, ToolDescription } from '../../api/message.ts'
import { readCall } from '../calls/call-view.ts'
import type { CardHandlers } from '../cards/card-handlers.ts'
import type { ConversationState } from '../conversation/use-conversation.ts'
import { ToolNamesProvider } from '../labels/tool-names.tsx'
import { readableParts } from '../messages/message-blocks.ts'
import { MessageList } from '../messages/message-list.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageTimes } from './message-time.tsx'
import { renderText } from './rendered-text.tsx'
import { useVersions, VersionsProvider } from './versions.tsx'

type List = ComponentProps<typeof MessageList>

export interface Actions {
  onEdit(message: ChatMessage, text: string): void
  onAgain(message: ChatMessage): void
  onRate(message: ChatMessage, rating: Rating | null): Promise<unknown>
  /** Reads the answers that one has taken the place of, oldest first. */
  onFormer(messageId: string): Promise<readonly ChatMessage[]>
}

/** The messages, with their actions and times. */
export function ChatMessages({
  tools,
  handlers,
  actions,
  times,
  former,
  ...list
}: Omit<List, 'handlers'> & {
  tools: readonly ToolDescription[]
  handlers: CardHandlers
  actions: Actions
  times: ConversationState['times']
  former: ConversationState['former']
}) {
  const newest = useRef(actions)
  newest.current = actions
  // The same function on every render: messages that have not changed are not rendered again.
  const renderActions = useCallback(
    (message: ChatMessage, text: string) => (
      <MessageActions
        id={message.id}
        text={text}
        isUser={message.role === 'user'}
        isFailed={endsFailed(message)}
        rating={message.metadata?.feedback?.rating}
        onEdit={() => newest.current.onEdit(message, text)}
        onAgain={() => newest.current.onAgain(message)}
        onRate={(rating) => newest.current.onRate(message, rating)}
      />
    ),
    [],
  )
  const versions = useVersions(former, (messageId) => newest.current.onFormer(messageId))
  const { shown } = versions
  const messages = useMemo(
    () => list.messages.map((message) => shown[message.id]?.message ?? message),
    [list.messages, shown],
  )
  // Receipts belong to the answer that stands.
  const decided = useMemo(
    () => list.decided?.filter(({ messageId }) => !shown[messageId]),
    [list.decided, shown],
  )
  return (
    <ToolNamesProvider tools={tools}>
      <MessageTimes times={times}>
        <VersionsProvider value={versions}>
          <MessageList
            {...list}
            messages={messages}
            decided={decided}
            handlers={{ ...handlers, renderText, renderActions }}
          />
        </VersionsProvider>
      </MessageTimes>
    </ToolNamesProvider>
  )
}

/** Whether its last call did not work, so that another try is the next thing to do. */
function endsFailed(message: ChatMessage): boolean {
  const { metadata } = message
  const parts = readableParts(message)
  const last = parts.flatMap((part) => readCall(part, parts, metadata) ?? []).at(-1)
  return last?.state === 'failed'
}
