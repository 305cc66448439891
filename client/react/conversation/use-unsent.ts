import { useEffect, useRef } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import type { ChatView } from '../../chat-store.ts'
import { useKeptStore } from '../forms/use-kept.ts'

/**
 * Keeps messages that no server has accepted yet on this device. `hear` is called when another tab has sent them. Returns
 * a function that finds them after a reload. Loaded together with the code that sends.
 */
export function useUnsent(id: string, { messages, status }: ChatView, hear: () => void) {
  const store = useKeptStore()
  const place = `unsent ${id}`
  const latest = useRef(hear)
  latest.current = hear
  const sent = status === 'submitted' ? messages : undefined
  const isStreaming = status === 'streaming'
  // A quick answer may arrive before its stream was drawn.
  const isAnswered = status === 'ready' && messages.at(-1)?.role === 'assistant'
  const wasSent = useRef(false)
  useEffect(() => {
    const isTaken = isStreaming || (isAnswered && wasSent.current)
    if (!store || !(sent || isTaken)) return
    wasSent.current = sent !== undefined
    import('../../chat-engine.ts')
      .then(({ keepUnsent }) => (sent ? keepUnsent(store, place, sent) : store.forget(place)))
      // Then nothing was sent either, and the user is told.
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
    const { findUnsent } = await import('../../chat-engine.ts')
    return findUnsent(store, place, stored)
  }
}
