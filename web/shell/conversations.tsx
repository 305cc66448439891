import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ConversationList } from '../../client/react/lists/conversation-list.tsx'
import { enterList } from '../../client/react/lists/roving-list.tsx'
import { useConversations } from '../base/conversation-pages.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'
import { ConversationRow } from './conversation-row.tsx'
import { foundMessage, showFound } from './found-message.ts'
import { focusComposer, focusUnlessTouched, places } from './shortcuts.ts'

const SearchResults = lazy(() => import('./search-results.tsx'))

const hrefOf = (id: string, messageId?: string) =>
  `/chat/${id}${messageId === undefined ? '' : foundMessage(messageId)}`

/** What is searched for, and its setter. */
export type SearchState = [string, Dispatch<SetStateAction<string>>]

/** The conversations by day, with a search. */
export function Conversations({ search: [search, setSearch] }: { search: SearchState }) {
  const { data, error, more } = useConversations()
  const words = frameWords()
  const [path, navigate] = useLocation()
  const scroll = useRef<HTMLDivElement>(null)
  const [isEntered, setEntered] = useState(false)
  const list = {
    openId: path.startsWith(hrefOf('')) ? path.slice(hrefOf('').length) : undefined,
    hrefOf,
    onOpen: (id: string, messageId?: string) => {
      navigate(hrefOf(id, messageId))
      showFound()
    },
    Row: ConversationRow,
  }
  const isLoaded = data !== undefined
  const isSearching = search.trim() !== ''
  // Whenever the open one may be out of sight.
  useEffect(() => {
    scroll.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [list.openId, isLoaded, isSearching])
  return (
    <section className="conversations" aria-label={words.conversations}>
      <div className="search-row">
        <form
          className="search"
          onSubmit={(event) => {
            event.preventDefault()
            setEntered(true)
          }}
        >
          <label>
            <Icon name="search" />
            <span className="hidden">{words.searchConversations}</span>
            <input
              id={places.search}
              type="search"
              placeholder={words.search}
              maxLength={500}
              value={search}
              onChange={(event) => {
                setSearch(event.target.value)
                setEntered(false)
              }}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowDown' && event.key !== 'Escape') return
                // Escape must not stop the answer as well.
                event.preventDefault()
                if (event.key === 'ArrowDown') return enterList(scroll.current)
                if (search === '') return focusComposer()
                // Nor close the drawer.
                event.stopPropagation()
                setSearch('')
              }}
            />
          </label>
          {search !== '' && (
            <button
              type="button"
              className="plain clear-search"
              title={words.clearSearch}
              onClick={() => {
                setSearch('')
                focusUnlessTouched(places.search)
              }}
            >
              <Icon name="close" />
              <span className="hidden">{words.clearSearch}</span>
            </button>
          )}
        </form>
        <Link
          href="/archived"
          title={words.archived}
          aria-current={path === '/archived' ? 'page' : undefined}
        >
          <Icon name="archive" />
          <span className="hidden">{words.archived}</span>
        </Link>
      </div>
      <div ref={scroll} className="conversation-scroll">
        {error && <p className="quiet small">{failureSentence(error)}</p>}
        {isSearching ? (
          <Suspense>
            <SearchResults
              search={search}
              isEntered={isEntered}
              onShown={() => setEntered(false)}
              list={list}
            />
          </Suspense>
        ) : (
          <ConversationList conversations={data?.conversations ?? []} more={more} {...list} />
        )}
      </div>
    </section>
  )
}
