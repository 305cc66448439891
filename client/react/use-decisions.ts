import { useCallback, useState } from 'react'
import type { AskbackError } from '../askback-error.ts'
import type { ChatAnswer, Pending } from '../message.ts'
import type { Made } from './receipt.tsx'

/**
 * What the user has decided on this page, at once: before the server knows. What it refuses is taken back, so that its
 * card is there again, with what was typed into it.
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
        put({ ...one, outcome: describeOutcome(await send(), toolCallId) })
      } catch (error) {
        const { status, message } = error as AskbackError
        if (status !== 409) {
          put()
          throw error
        }
        put({ ...one, decision: 'late', outcome: message })
      }
    },
    [],
  )
  return { made, decide }
}

/** What the call did, in its own line; else what was said to it. What is asked next has a card of its own. */
function describeOutcome({ text, toolsUsed = [], pending = [] }: ChatAnswer, toolCallId: string): string {
  const { summary } = toolsUsed.find((use) => use.toolCallId === toolCallId) ?? {}
  return summary ?? (pending.length > 0 ? '' : text)
}
