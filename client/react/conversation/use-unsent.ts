import { useEffect, useRef } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import type { ChatView } from '../../chat-store.ts'
import { listUnsent } from '../../shown-messages.ts'
import { useKeptStore } from '../forms/use-kept.ts'

/**
 * Keeps messages that no server has accepted yet on this device. `hear` is called when another tab has sent them. `find`
 * finds them when their user comes back, and why they were not sent, if that is known.
 */
export function useUnsent(id: string, { messages, status }: ChatView, hear: () => void) {
  const store = useKeptStore()
  const place = `unsent ${id}`
  const because = `${place} because`
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
    store.write(because, undefined, undefined)
    import('../../chat-engine.ts')
      .then(({ keepUnsent }) => (sent ? keepUnsent(store, place, sent) : store.forget(place)))
      // Then nothing was sent either, and the user is told.
      .catch(() => {})
  }, [store, place, because, sent, isStreaming, isAnswered])
  useEffect(
    () =>
      store?.follow(place, () => {
        if (store.read(place) === undefined) latest.current()
      }),
    [store, place],
  )
  return {
    async find(stored: readonly ChatMessage[]) {
      if (store?.read(place) === undefined) return
      const reason = store.read(because)
      const { findUnsent } = await import('../../chat-engine.ts')
      const messages = findUnsent(store, place, stored)
      return messages && { messages, reason: typeof reason === 'string' ? reason : undefined }
    },
    /** Keeps what could not be sent after its page was left, when nothing is drawn any more. */
    keep(messages: readonly ChatMessage[], reason: string) {
      const said = listUnsent(messages, [])
      store?.write(place, said, said)
      store?.write(because, reason, reason)
    },
  }
}
