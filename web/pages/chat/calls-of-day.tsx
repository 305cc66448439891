import { Link } from 'wouter'
import { useLabels } from '../../../client/react/labels/use-labels.ts'
import { showDate } from '../../../shared/words/locale.ts'
import { useConversations } from '../../base/conversation-pages.ts'
import { callsWords } from './calls-words.ts'

/** Above a call over MCP: all calls of its app on its day, for which one row stands in the list. Nothing if it is the only one. */
export function CallsOfDay({ id }: { id: string | undefined }) {
  const { data, more } = useConversations({ callsOf: id })
  const { locale, showMore, untitled, waitingForYou } = useLabels()
  const calls = data?.conversations ?? []
  const app = calls[0]?.calls?.app
  if (app === undefined || calls.length < 2) return null
  return (
    <details className="calls-of-day" open>
      <summary dir="auto">{callsWords().title(app, calls.length)}</summary>
      <ul>
        {calls.map(({ id: one, title, open, createdAt }) => (
          <li key={one}>
            <Link href={`/chat/${one}`} aria-current={one === id ? 'page' : undefined} dir="auto">
              {open.count > 0 && <span className="askback-waits" role="img" aria-label={waitingForYou} />}
              {title ?? untitled}
            </Link>{' '}
            <time className="quiet small" dateTime={createdAt}>
              {showDate(createdAt, 'time', locale)}
            </time>
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => void more()}>
          {showMore}
        </button>
      )}
    </details>
  )
}
