import { useCallback, useEffect, useRef } from 'react'
import type { ChatMessage } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import { pictureMs } from '../../chat-store.ts'
import { updateWritten } from '../../shown-messages.ts'
import type { LazyChat } from './use-lazy-chat.ts'

/**
 * Follows an answer that is being written in any message: `useChat` only reads answers it started itself. Follows at most
 * one at a time, until it ends.
 */
export function useFollowing(
  askback: Askback,
  id: string,
  setMessages: LazyChat['setMessages'],
): () => Promise<void> {
  const current = useRef<Promise<void>>(undefined)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return useCallback(() => {
    const read = async () => {
      // Loaded on demand, like all code that reads streams.
      const { followAnswer } = await import('../../follow-answer.ts')
      let latest: ChatMessage | undefined
      let timer: ReturnType<typeof setTimeout> | undefined
      const show = () => {
        timer = undefined
        const written = latest
        if (written) setMessages((shown) => updateWritten(shown, written))
      }
      for await (const written of followAnswer(askback.fetch, id)) {
        if (isGone.current) return
        latest = written
        timer ??= setTimeout(show, pictureMs)
      }
      clearTimeout(timer)
      show()
    }
    current.current ??= read()
      .catch(() => {})
      .finally(() => {
        current.current = undefined
      })
    return current.current
  }, [askback, id, setMessages])
}
