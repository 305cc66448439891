import { showDate } from '../../client/locale.ts'
import '../styles/pages.css'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ConversationSummary } from '../../client/message.ts'
import { MoreRows } from '../../client/react/more-rows.tsx'
import { useConversations, useConversationsChanged } from '../conversation-pages.ts'
import { useSession } from '../session.tsx'
import { DeleteConversation } from '../shell/delete-conversation.tsx'
import { Skeleton } from '../shell/skeleton.tsx'
import { useToast } from '../shell/toasts.tsx'

/** The conversations that were put out of the list: they can be read, restored and deleted. */
export function ArchivedPage() {
  const { data, error, more } = useConversations({ archived: true })
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <main className="page">
      <title>Archived · Askback</title>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Archived
          </h1>
          <p className="quiet">
            You can still search archived conversations. Writing in one moves it back to your list.
          </p>
        </div>
      </header>
      {error && <p role="alert">{error.message}</p>}
      {!data && !error && <Skeleton />}
      {data?.conversations.length === 0 && <p className="empty">Nothing is archived.</p>}
      <ul className="archived" aria-label="Archived conversations">
        {data?.conversations.map((conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            onGone={() => heading.current?.focus({ preventScroll: true })}
          />
        ))}
      </ul>
      {more && <MoreRows key={data?.next} onReach={more} />}
    </main>
  )
}

function Row({
  conversation: { id, title, updatedAt },
  onGone,
}: {
  conversation: ConversationSummary
  onGone(): void
}) {
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const name = title ?? 'Untitled'

  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work
      toast(done)
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
    await changed()
    await new Promise((drawn) => setTimeout(drawn))
    // The buttons that had the keyboard are gone.
    if (document.activeElement === document.body) onGone()
  }

  return (
    <li>
      <Link href={`/chat/${id}`}>{name}</Link>
      <time className="quiet small" dateTime={updatedAt}>
        {showDate(updatedAt, 'longDay')}
      </time>
      <button
        type="button"
        aria-label={`Restore ${name}`}
        onClick={() =>
          void act(askback.conversations.change(id, { archived: false }), 'Conversation restored.')
        }
      >
        Restore
      </button>
      <button ref={button} type="button" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
        Delete
      </button>
      {isAsking && (
        <DeleteConversation
          title={name}
          anchor={button}
          onKeep={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void act(askback.conversations.delete(id), 'Conversation deleted.')
          }}
        />
      )}
    </li>
  )
}
