import { useEffect, useMemo, useRef, useState } from 'react'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { closeIcon } from '../icons/composer-icons.ts'
import { Drawing } from '../icons/drawing.tsx'
import { plusIcon } from '../icons/later-icons.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { ConversationList } from '../lists/conversation-list.tsx'
import { FoundConversations, wordsIn } from '../lists/found-conversations.tsx'
import { enterList } from '../lists/roving-list.tsx'
import { useConversations } from '../lists/use-conversations.ts'
import { ChatRow, type RowActions, RowActionsProvider } from './chat-row.tsx'

/** Milliseconds after the last keystroke until the search starts. */
const pauseMs = 150

/** The user's conversations by day, and a search in them. */
export function ChatList({
  askback,
  scope,
  changes,
  openId,
  isOpened,
  onNew,
  onOpen,
  onRename,
  onClose,
  onProblem,
}: {
  askback: Askback
  scope: string | undefined
  /** How often conversations have changed. */
  changes: number
  openId: string | undefined
  /** Whether it was opened in place of the conversation. */
  isOpened: boolean
  onNew(): void
  onOpen(id: string, messageId?: string, words?: string): void
  onRename(id: string, title: string): void
  onClose(): void
  onProblem(sentence: string): void
}) {
  const labels = useChatLabels()
  const [search, setSearch] = useState('')
  /** Enter asked for what is found. */
  const [isEntered, setEntered] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const q = usePaused(search.trim())
  const { conversations, more, failure, isLoaded, refresh } = useConversations(askback, {
    q: q === '' ? undefined : q,
    scope,
  })
  useEffect(() => {
    if (changes > 0) void refresh()
  }, [changes, refresh])
  const first = useRef<HTMLButtonElement>(null)
  // Another time, something else is looked for.
  useEffect(() => {
    if (isOpened) first.current?.focus()
    else setSearch('')
  }, [isOpened])
  const isOver = isLoaded && q === search.trim()
  // The only result opens; of several the first gets the focus.
  useEffect(() => {
    if (!isEntered || !isOver) return
    setEntered(false)
    const [one, ...others] = conversations
    if (one && others.length === 0) onOpen(one.id, one.match?.message?.id, wordsIn(one.match?.message))
    else enterList(list.current)
  }, [isEntered, isOver, conversations])
  const rows = { conversations, more, openId, onOpen, hrefOf, Row: ChatRow }
  const allLabels = useLabels()
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      onProblem(describeFailure(error, allLabels))
    }
    await refresh()
  }
  const latest = useRef<RowActions>(undefined)
  latest.current = {
    change: (id, change) =>
      act(async () => {
        const { title } = await askback.conversations.change(id, change)
        if (title !== undefined) onRename(id, title)
      }),
    remove: (id) =>
      act(async () => {
        await askback.conversations.delete(id)
        searchBox.current?.focus()
        if (id === openId) onNew()
      }),
  }
  // The same on every render: rows that have not changed are not rendered again.
  const actions = useMemo<RowActions>(
    () => ({
      change: async (...given) => latest.current?.change(...given),
      remove: async (id) => latest.current?.remove(id),
    }),
    [],
  )
  return (
    <section className="askback-chat-list" aria-label={labels.conversations}>
      <div className="askback-chat-bar">
        <button ref={first} type="button" className="askback-button" onClick={onNew}>
          <Drawing lines={plusIcon} />
          {labels.newChat}
        </button>
        <button
          type="button"
          className="askback-icon-button askback-to-list"
          aria-label={labels.backToChat}
          onClick={onClose}
        >
          <Drawing lines={closeIcon} />
        </button>
      </div>
      <input
        ref={searchBox}
        type="search"
        className="askback-search"
        aria-label={labels.searchConversations}
        placeholder={labels.search}
        maxLength={500}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setEntered(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setEntered(search.trim() !== '')
          else if (event.key === 'ArrowDown') {
            event.preventDefault()
            enterList(list.current)
          } else if (event.key === 'Escape' && search !== '') {
            // Must not stop the answer as well.
            event.preventDefault()
            setSearch('')
          }
        }}
      />
      <div ref={list} className="askback-chat-rows" aria-busy={!isOver}>
        <p className="askback-announced" role="status">
          {q !== '' && isOver && sayNumber(conversations.length, more !== undefined, labels)}
        </p>
        {failure && <p className="askback-quiet">{failure}</p>}
        {q !== '' && isOver && conversations.length === 0 && (
          <p className="askback-quiet">{labels.none(q)}</p>
        )}
        <RowActionsProvider value={actions}>
          {q === '' ? <ConversationList {...rows} /> : <FoundConversations {...rows} />}
        </RowActionsProvider>
      </div>
    </section>
  )
}

/** The page's address with this conversation, for a new tab. */
function hrefOf(id: string): string {
  const address = new URL(location.href)
  address.searchParams.set('chat', id)
  return address.href
}

function sayNumber(count: number, hasMore: boolean, labels: ReturnType<typeof useChatLabels>): string {
  return hasMore ? labels.moreThan(count) : labels.found(count)
}

/** The typed text after a pause in typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
