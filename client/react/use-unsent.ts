import { useEffect, useRef } from 'react'
import type { ChatView } from '../chat-store.ts'
import type { ChatMessage } from '../message.ts'
import { useKeptStore } from './use-kept.ts'

/**
 * What the user has said and no server has taken yet is kept on this device. `hear`: it is settled in another tab. Returns
 * what finds it after a reload. Its code comes with the code that sends.
 */
export function useUnsent(id: string, { messages, status }: ChatView, hear: () => void) {
  const store = useKeptStore()
  const place = `unsent ${id}`
  const latest = useRef(hear)
  latest.current = hear
  const sent = status === 'submitted' ? messages : undefined
  const isStreaming = status === 'streaming'
  // A quick answer is there before its stream was drawn.
  const isAnswered = status === 'ready' && messages.at(-1)?.role === 'assistant'
  const wasSent = useRef(false)
  useEffect(() => {
    const isTaken = isStreaming || (isAnswered && wasSent.current)
    if (!store || !(sent || isTaken)) return
    wasSent.current = sent !== undefined
    import('../chat-engine.ts')
      .then(({ keepUnsent }) => (sent ? keepUnsent(store, place, sent) : store.forget(place)))
      // Then nothing was sent either, and that is said.
      .catch(() => {})
  }, [store, place, sent, isStreaming, isAnswered])
  useEffect(
    () =>
      store?.follow(place, () => {
        if (store.read(place) === undefined) latest.current()
      }),
    [store, place],
  )
  return async (stored: readonly ChatMessage[]) => {
    if (store?.read(place) === undefined) return
    const { findUnsent } = await import('../chat-engine.ts')
    return findUnsent(store, place, stored)
  }
}
