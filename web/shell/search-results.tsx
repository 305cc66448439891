import { useEffect, useRef, useState } from 'react'
import type { ConversationListProps } from '../../client/react/lists/conversation-list.tsx'
import { FoundConversations } from '../../client/react/lists/found-conversations.tsx'
import { enterList } from '../../client/react/lists/roving-list.tsx'
import { useConversations } from '../base/conversation-pages.ts'
import { failureSentence } from '../base/failure-sentence.ts'
import { menuWords } from './menu-words.ts'
import { focusComposer, places } from './shortcuts.ts'

/** Milliseconds after the last keystroke until the search starts. */
const pauseMs = 150

/** The conversations that contain the words, newest first, each with an excerpt. Loaded with the first search. */
export default function SearchResults({
  search,
  isEntered,
  onShown,
  list,
}: {
  search: string
  /** Whether Enter asked for what is found: the only result opens, of several the first gets the focus. */
  isEntered: boolean
  /** Called once that is done. */
  onShown(): void
  list: Omit<ConversationListProps, 'conversations' | 'more'>
}) {
  const q = usePaused(search.trim())
  const { data, error, more, isPlaceholderData } = useConversations({ q })
  const found = data?.conversations ?? []
  const isOver = data !== undefined && !isPlaceholderData && q === search.trim()
  const results = useRef<HTMLDivElement>(null)
  const [first, ...others] = found
  useEffect(() => {
    if (!isEntered || !isOver) return
    onShown()
    if (first && others.length === 0) {
      list.onOpen(first.id, first.match?.message?.id)
      // A chat that is only now rendered takes the focus from nobody.
      document.getElementById(places.search)?.blur()
      focusComposer()
    } else enterList(results.current)
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles a key for the results in it
    <div
      ref={results}
      aria-busy={!isOver}
      onKeyDown={(event) => {
        const { key, target, currentTarget } = event
        // A menu, which is elsewhere in the page, and a new title have an Escape of their own.
        if (key !== 'Escape' || event.defaultPrevented || !currentTarget.contains(target as Node)) return
        event.preventDefault()
        event.stopPropagation()
        document.getElementById(places.search)?.focus()
      }}
    >
      <p className="hidden" role="status">
        {isOver && sayNumber(found.length, more !== undefined)}
      </p>
      {error && <p className="quiet small">{failureSentence(error)}</p>}
      {isOver && found.length === 0 && <p className="quiet small">{menuWords().none(q)}</p>}
      <FoundConversations conversations={found} more={more} {...list} />
    </div>
  )
}

function sayNumber(count: number, hasMore: boolean): string {
  return hasMore ? menuWords().moreThan(count) : menuWords().found(count)
}

/** The typed text after a pause in typing; the first letters immediately. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
