import { showDate } from '../../../shared/words/locale.ts'
import type { TextRanges } from '../../api/message.ts'
import { SentenceWith } from '../labels/sentence-with.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { MarkedText } from '../values/marked-text.tsx'
import type { ConversationListProps } from './conversation-list.tsx'
import { ConversationRow } from './conversation-row.tsx'
import { MoreRows } from './more-rows.tsx'
import { RovingList } from './roving-list.tsx'

/** The conversations found by a search, in order, each with its excerpt. */
export function FoundConversations({
  conversations,
  more,
  openId,
  hrefOf,
  onOpen,
  Row = ConversationRow,
}: ConversationListProps) {
  const labels = useLabels()
  return (
    <RovingList ids={conversations.map(({ id }) => id)} openId={openId}>
      <ul className="askback-found-conversations">
        {conversations.map((one) => {
          const { id, title, updatedAt, archived, match } = one
          const day = new Date(match?.message?.createdAt ?? updatedAt)
          return (
            <Row
              key={id}
              conversation={one}
              isOpen={id === openId}
              href={hrefOf(id, match?.message?.id)}
              onOpen={() => onOpen(id, match?.message?.id, wordsIn(match?.message))}
              shownTitle={<MarkedText text={title ?? labels.untitled} ranges={match?.title ?? []} />}
            >
              <span className="askback-found-place">
                {match?.message && (
                  <span className="askback-excerpt">
                    {match.message.role === 'user' ? (
                      <SentenceWith of={labels.youSaid}>
                        <bdi>
                          <MarkedText {...match.message} />
                        </bdi>
                      </SentenceWith>
                    ) : (
                      <bdi>
                        <MarkedText {...match.message} />
                      </bdi>
                    )}
                  </span>
                )}
                <span>
                  <time dateTime={day.toISOString()}>{showDate(day, 'longDay', labels.locale)}</time>
                  {archived && ` · ${labels.archived}`}
                </span>
              </span>
            </Row>
          )
        })}
      </ul>
      {more && <MoreRows key={conversations.at(-1)?.id} onReach={more} />}
    </RovingList>
  )
}

/** The first of the words that were searched for, as the message has it. */
export function wordsIn(message: { text: string; ranges: TextRanges } | undefined): string | undefined {
  const [range] = message?.ranges ?? []
  return range && message?.text.slice(...range)
}
