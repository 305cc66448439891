import { type FormEvent, lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ConversationSummary } from '../../client/message.ts'
import { useConversations, useConversationsChanged } from '../conversation-pages.ts'
import { Icon } from '../icons.tsx'
import { useSession } from '../session.tsx'
import { useFocusBack } from '../use-focus-back.ts'
import { groupByDay } from './day-groups.ts'
import { MoreRows } from './more-rows.tsx'
import { enterList, RovingList, useStop } from './roving-list.tsx'
import { places } from './shortcuts.ts'
import { useToast } from './toasts.tsx'

// With the menus: loaded with the first one.
const ConversationMenu = lazy(() => import('./conversation-menu.tsx'))
const SearchResults = lazy(() => import('./search-results.tsx'))

/** The conversations by day, and a search in what was said in them. */
export function ConversationList() {
  const { data, error, more } = useConversations()
  const [search, setSearch] = useState('')
  const [path] = useLocation()
  const all = data?.conversations ?? []
  const scroll = useRef<HTMLDivElement>(null)
  return (
    <section className="conversations" aria-label="Conversations">
      <div className="search-row">
        <label className="search">
          <Icon name="search" />
          <span className="hidden">Search conversations</span>
          <input
            id={places.search}
            type="search"
            placeholder="Search"
            maxLength={500}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              enterList(scroll.current)
            }}
          />
        </label>
        <Link href="/archived" title="Archived" aria-current={path === '/archived' ? 'page' : undefined}>
          <Icon name="archive" />
          <span className="hidden">Archived</span>
        </Link>
      </div>
      <div ref={scroll} className="conversation-scroll">
        {error && <p className="quiet small">{error.message}</p>}
        {search.trim() !== '' && (
          <Suspense>
            <SearchResults search={search} />
          </Suspense>
        )}
        {search.trim() === '' && (
          <RovingList ids={all.map(({ id }) => id)}>
            {groupByDay(all).map(({ day, conversations }) => (
              <div key={day}>
                <h2>{day}</h2>
                <ul>
                  {conversations.map((conversation) => (
                    <Row key={conversation.id} conversation={conversation} />
                  ))}
                </ul>
              </div>
            ))}
            {more && <MoreRows key={data?.next} onReach={more} />}
          </RovingList>
        )}
      </div>
    </section>
  )
}

/** What stands behind its dot. The clock goes on by itself. */
function waitsFor(kinds: ConversationSummary['open']['kinds']): string {
  return kinds.every((kind) => kind === 'wait') ? 'Continues later' : 'Waits for you'
}

/** One conversation with its menu. */
export function Row({
  conversation,
  shownTitle,
  children,
}: {
  conversation: ConversationSummary
  /** The title as it is shown, where it is more than a text. */
  shownTitle?: ReactNode
  /** What stands below the title. */
  children?: ReactNode
}) {
  const { id, title, open } = conversation
  const { askback } = useSession()
  const changed = useConversationsChanged()
  const toast = useToast()
  const [path] = useLocation()
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const options = useRef<HTMLButtonElement>(null)
  const stop = useStop(id)
  const titleId = useId()
  const name = title ?? 'Untitled'
  const isOpen = path === `/chat/${id}`

  useFocusBack(isRenaming, options)

  const rename = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('title')).trim()
    setRenaming(false)
    if (next === '' || next === title) return
    await askback.conversations.change(id, { title: next }).catch((error) => toast(error.message, 'failed'))
    void changed()
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
      <Link href={`/chat/${id}`} aria-current={isOpen ? 'page' : undefined} title={name} {...stop}>
        {open.count > 0 && <span className="waits" role="img" aria-label={waitsFor(open.kinds)} />}
        <span id={titleId} className="conversation-title">
          {shownTitle ?? name}
        </span>
        {children}
      </Link>
      <button
        ref={options}
        id={`options-${id}`}
        type="button"
        className="plain row-menu"
        // The arrows lead to it.
        tabIndex={-1}
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
            conversation={conversation}
            step={isDeleting ? 'delete' : 'menu'}
            onCloseMenu={() => setMenuOpen(false)}
            onRename={() => setRenaming(true)}
            onDelete={setDeleting}
          />
        </Suspense>
      )}
    </li>
  )
}
