import { useEffect, useRef } from 'react'
import type { ChatView } from '../chat-store.ts'
import type { ChatMessage } from '../message.ts'
import { useKeptStore } from './use-kept.ts'

/** Characters of a message that are kept beyond the page: a browser keeps 5 million in all. */
const longestKept = 300_000

/** `left`: names of files that were too large to be kept. */
export interface Unsent {
  said: readonly ChatMessage[]
  left: readonly string[]
}

const nothing: Unsent = { said: [], left: [] }

/**
 * What the user has said and no server has taken yet is kept on this device, by the ids that it is sent with. `hear`: it
 * is settled in another tab.
 */
export function useUnsent(id: string, { messages, status }: ChatView, hear: () => void) {
  const store = useKeptStore()
  const place = `unsent ${id}`
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    if (status === 'streaming') store?.forget(place)
    if (status !== 'submitted') return
    const said = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    if (said.length > 0) store?.write(place, { said, left: [] }, leaveLarge(said))
  }, [store, place, status, messages])
  useEffect(
    () =>
      store?.follow(place, () => {
        if (store.read(place) === undefined) latest.current()
      }),
    [store, place],
  )
  /** What of it is not among those that are stored. */
  return (stored: readonly ChatMessage[]): Unsent => {
    const known = new Set(stored.map(({ id }) => id))
    const { said, left } = (store?.read(place) ?? nothing) as Unsent
    const unsent = said.filter(({ id }) => !known.has(id))
    if (unsent.length === 0) store?.forget(place)
    return { said: unsent, left }
  }
}

/** Of files that are too large the names, to be attached again. */
function leaveLarge(said: readonly ChatMessage[]): Unsent {
  if (JSON.stringify(said).length <= longestKept) return { said, left: [] }
  const files = said.flatMap(({ parts }) => parts.filter((part) => part.type === 'file'))
  return {
    said: said.map((one) => ({ ...one, parts: one.parts.filter(({ type }) => type === 'text') })),
    left: files.map(({ filename = 'a file' }) => filename),
  }
}
