import { useEffect, useState } from 'react'
import { showDate } from '../../client/locale.ts'
import type { ConversationSummary } from '../../client/message.ts'
import { useConversations } from '../conversation-pages.ts'
import { Row } from './conversation-list.tsx'
import { MarkedText } from './marked-text.tsx'
import { MoreRows } from './more-rows.tsx'
import { RovingList } from './roving-list.tsx'

/** Milliseconds after the last key before it is searched. */
const pauseMs = 150

/** The conversations in which words were found, newest first, each with the place. Loaded with the first search. */
export default function SearchResults({ search }: { search: string }) {
  const q = usePaused(search.trim())
  const { data, error, more, isPlaceholderData } = useConversations({ q })
  const found = data?.conversations ?? []
  const isOver = data !== undefined && !isPlaceholderData && q === search.trim()
  return (
    <div className="found" aria-busy={!isOver}>
      <p className="hidden" role="status">
        {isOver && sayNumber(found.length, more !== undefined)}
      </p>
      {error && <p className="quiet small">{error.message}</p>}
      {isOver && found.length === 0 && <p className="quiet small">No results for “{q}”.</p>}
      <RovingList ids={found.map(({ id }) => id)}>
        <ul>
          {found.map((conversation) => (
            <Result key={conversation.id} conversation={conversation} />
          ))}
        </ul>
        {more && <MoreRows key={data?.next} onReach={more} />}
      </RovingList>
    </div>
  )
}

function Result({ conversation }: { conversation: ConversationSummary }) {
  const { title, updatedAt, archived, match } = conversation
  const day = new Date(match?.message?.createdAt ?? updatedAt)
  return (
    <Row
      conversation={conversation}
      shownTitle={<MarkedText text={title ?? 'Untitled'} ranges={match?.title ?? []} />}
    >
      <span className="found-place">
        {match?.message && (
          <span className="excerpt">
            {match.message.role === 'user' && 'You: '}
            <MarkedText {...match.message} />
          </span>
        )}
        <span>
          <time dateTime={day.toISOString()}>{showDate(day, 'longDay')}</time>
          {archived && ' · Archived'}
        </span>
      </span>
    </Row>
  )
}

function sayNumber(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} results`
  return count === 1 ? '1 result' : `${count} results`
}

/** What is typed, once typing pauses; the first letters at once. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
