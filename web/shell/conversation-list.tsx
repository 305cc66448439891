import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ConversationSummary } from '../../client/message.ts'
import { Icon } from '../icons.tsx'
import { useConversations, useConversationsChanged } from '../queries.ts'
import { useSession } from '../session.tsx'
import { useFocusBack } from '../use-focus-back.ts'
import { groupByDay } from './day-groups.ts'
import { places } from './shortcuts.ts'
import { useToast } from './toasts.tsx'

// With the menus: loaded with the first one.
const ConversationMenu = lazy(() => import('./conversation-menu.tsx'))

/** The conversations by day, to search, rename and delete. */
export function ConversationList() {
  const { data, error } = useConversations()
  const [search, setSearch] = useState('')
  const found = (data ?? []).filter(({ title }) =>
    (title ?? '').toLowerCase().includes(search.trim().toLowerCase()),
  )
  return (
    <section className="conversations" aria-label="Conversations">
      <label className="search">
        <Icon name="search" />
        <span className="hidden">Search conversations</span>
        <input
          id={places.search}
          type="search"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <div className="conversation-scroll">
        {error && <p className="quiet small">{error.message}</p>}
        {search && found.length === 0 && (
          <p className="quiet small">No conversation has this in its title.</p>
        )}
        {groupByDay(found).map(({ day, conversations }) => (
          <div key={day}>
            <h2>{day}</h2>
            <ul>
              {conversations.map((conversation) => (
                <Row key={conversation.id} conversation={conversation} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

/** What stands behind its dot. The clock goes on by itself. */
function waitsFor(kinds: ConversationSummary['open']['kinds']): string {
  return kinds.every((kind) => kind === 'wait') ? 'Continues later' : 'Waits for you'
}

function Row({ conversation: { id, title, open } }: { conversation: ConversationSummary }) {
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const [path, navigate] = useLocation()
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const options = useRef<HTMLButtonElement>(null)
  const titleId = useId()
  const name = title ?? 'Untitled'
  const isOpen = path === `/chat/${id}`

  useFocusBack(isRenaming, options)

  const rename = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('title')).trim()
    setRenaming(false)
    if (next === '' || next === title) return
    await askback.conversations.rename(id, next).catch((error) => toast(error.message, 'failed'))
    changed()
  }
  const remove = async () => {
    setDeleting(false)
    try {
      await askback.conversations.delete(id)
      if (isOpen) navigate('/')
      toast('The conversation is deleted.')
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
    changed()
  }

  if (isRenaming) {
    return (
      <li>
        <form onSubmit={rename} className="rename">
          <input
            name="title"
            aria-label="Title"
            defaultValue={name}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            onBlur={(event) => event.currentTarget.form?.requestSubmit()}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              // It stops no answer besides.
              event.preventDefault()
              setRenaming(false)
            }}
          />
        </form>
      </li>
    )
  }
  return (
    <li data-open={isOpen}>
      <Link href={`/chat/${id}`} aria-current={isOpen ? 'page' : undefined} title={name}>
        {open.count > 0 && <span className="waits" role="img" aria-label={waitsFor(open.kinds)} />}
        <span id={titleId} className="conversation-title">
          {name}
        </span>
      </Link>
      <button
        ref={options}
        type="button"
        className="plain row-menu"
        aria-label="Options"
        aria-describedby={titleId}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={() => setMenuOpen(true)}
      >
        <Icon name="more" />
      </button>
      {(isMenuOpen || isDeleting) && (
        <Suspense>
          <ConversationMenu
            anchor={options}
            name={name}
            step={isDeleting ? 'delete' : 'menu'}
            onCloseMenu={() => setMenuOpen(false)}
            onKeep={() => setDeleting(false)}
            onRename={() => setRenaming(true)}
            onAskDelete={() => setDeleting(true)}
            onDelete={remove}
          />
        </Suspense>
      )}
    </li>
  )
}
