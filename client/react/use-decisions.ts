import { useCallback, useRef, useState } from 'react'
import type { AskbackError } from '../askback-error.ts'
import { describeFailure } from '../labels/failure.ts'
import type { ChatAnswer, Pending } from '../message.ts'
import { useFirstLabels } from './labels.tsx'
import type { Made } from './receipt.tsx'

/**
 * The decisions the user has made on this page, shown before the server confirms them. A refused one is taken back: its
 * card reappears with what was typed into it.
 */
export function useDecisions() {
  const labels = useFirstLabels()
  const latest = useRef(labels)
  latest.current = labels
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
        if ((error as AskbackError).status !== 409) {
          put()
          throw error
        }
        put({ ...one, decision: 'late', outcome: describeFailure(error, latest.current) })
      }
    },
    [],
  )
  return { made, decide }
}
