import { failureSentence } from '../base/failure-sentence.ts'
import '../styles/pages.css'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ConversationSummary } from '../../client/api/message.ts'
import { MoreRows } from '../../client/react/lists/more-rows.tsx'
import { useConversations, useConversationsChanged } from '../base/conversation-pages.ts'
import { frameWords } from '../base/frame-words.ts'
import { showDate } from '../base/locale.ts'
import { useSession } from '../base/session.tsx'
import { DeleteConversation } from '../shell/delete-conversation.tsx'
import { menuWords } from '../shell/menu-words.ts'
import { focusHeading } from '../shell/page-focus.ts'
import { PageHead } from '../shell/page-head.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'
import { archivedWords } from './archived/words.ts'

/** Archived conversations: they can be read, restored and deleted. */
export function ArchivedPage() {
  const { data, error, more } = useConversations({ archived: true })
  const words = archivedWords()
  return (
    <main className="page">
      <PageHead title={words.title} note={words.note} />
      {error && <p role="alert">{failureSentence(error)}</p>}
      {!data && !error && <Skeleton />}
      {data?.conversations.length === 0 && <p className="empty">{words.none}</p>}
      <ul className="archived" aria-label={words.list}>
        {data?.conversations.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </ul>
      {more && <MoreRows key={data?.next} onReach={more} />}
    </main>
  )
}

function Row({ conversation: { id, title, updatedAt } }: { conversation: ConversationSummary }) {
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = archivedWords()
  const menu = menuWords()
  const name = title ?? frameWords().untitled

  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work
      toast(done)
    } catch (error) {
      toast(failureSentence(error), 'failed')
    }
    await changed()
    await new Promise((drawn) => setTimeout(drawn))
    // The focused buttons are gone.
    if (document.activeElement === document.body) focusHeading()
  }

  return (
    <li>
      <Link href={`/chat/${id}`}>
        <bdi>{name}</bdi>
      </Link>
      <time className="quiet small" dateTime={updatedAt}>
        {showDate(updatedAt, 'longDay')}
      </time>
      <button
        type="button"
        aria-label={words.restoreThis(name)}
        onClick={() => void act(askback.conversations.change(id, { archived: false }), menu.restored)}
      >
        {words.restore}
      </button>
      <button ref={button} type="button" aria-label={words.deleteThis(name)} onClick={() => setAsking(true)}>
        {menu.delete}
      </button>
      {isAsking && (
        <DeleteConversation
          title={name}
          anchor={button}
          onKeep={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void act(askback.conversations.delete(id), menu.deleted)
          }}
        />
      )}
    </li>
  )
}
