import { useCallback, useState } from 'react'
import type { AskbackError } from '../askback-error.ts'
import type { ChatAnswer, Pending } from '../message.ts'
import type { Made } from './receipt.tsx'

/**
 * The decisions the user has made on this page, shown before the server confirms them. A refused one is taken back: its
 * card reappears with what was typed into it.
 */
export function useDecisions() {
  const [made, setMade] = useState<readonly Made[]>([])
  const decide = useCallback(
    async (
      { itemId, messageId, toolCallId }: Pending,
      decision: Made['decision'],
      send: () => Promise<ChatAnswer>,
    ): Promise<void> => {
      const one: Made = { itemId, messageId, toolCallId, decision, at: new Date().toISOString() }
      const put = (...now: Made[]) =>
        setMade((before) => [...before.filter((other) => other.itemId !== itemId), ...now])
      put(one)
      try {
        put({ ...one, answer: await send() })
      } catch (error) {
        const refusal = error as AskbackError
        if (refusal.status !== 409) {
          put()
          throw error
        }
        put({ ...one, decision: 'late', refusal })
      }
    },
    [],
  )
  return { made, decide }
}
