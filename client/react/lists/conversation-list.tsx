import type { ComponentType } from 'react'
import type { ConversationSummary } from '../../api/message.ts'
import { useFirstLabels } from '../labels/labels.tsx'
import { ConversationRow, type ConversationRowProps } from './conversation-row.tsx'
import { groupByDay } from './day-groups.ts'
import { MoreRows } from './more-rows.tsx'
import { RovingList } from './roving-list.tsx'

export interface ConversationListProps {
  conversations: readonly ConversationSummary[]
  /** Loads the next page when the end scrolls into view; absent if there is none. */
  more: (() => Promise<unknown>) | undefined
  openId: string | undefined
  /** The URL of a conversation, or of a message that was found in it. */
  hrefOf(id: string, messageId?: string): string
  /** `words`: what was searched for, as it stands in the message. */
  onOpen(id: string, messageId?: string, words?: string): void
  /** The app's own row component. */
  Row?: ComponentType<ConversationRowProps>
}

/** The conversations by day. The list is one Tab stop; the arrow keys move between rows. */
export function ConversationList({
  conversations,
  more,
  openId,
  hrefOf,
  onOpen,
  Row = ConversationRow,
}: ConversationListProps) {
  const labels = useFirstLabels()
  return (
    <RovingList ids={conversations.map(({ id }) => id)} openId={openId}>
      {groupByDay(conversations, labels).map(({ day, conversations }) => (
        <div key={day}>
          <h2>{day}</h2>
          <ul>
            {conversations.map((one) => (
              <Row
                key={one.id}
                conversation={one}
                isOpen={one.id === openId}
                href={hrefOf(one.id)}
                onOpen={onOpen}
              />
            ))}
          </ul>
        </div>
      ))}
      {more && <MoreRows key={conversations.at(-1)?.id} onReach={more} />}
    </RovingList>
  )
}
