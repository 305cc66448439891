import { useCallback, useState } from 'react'
import type { ChatAnswer, Pending } from '../../api/message.ts'
import type { PermissionTerms, Remember } from '../../api/permission.ts'
import type { ApprovalDecision } from '../../askback.ts'
import type { AskbackError } from '../../askback-error.ts'
import type { Made } from '../cards/receipt.tsx'

/**
 * The decisions the user has made on this page, shown before the server confirms them. A refused one is taken back: its
 * card reappears with what was typed into it.
 */
export function useDecisions() {
  const [made, setMade] = useState<readonly Made[]>([])
  const decide = useCallback(
    async (
      { itemId, messageId, toolCallId }: Pending,
      /** The decision about an approval as it is sent: its receipt names the permission that is given with it. */
      given: Made['decision'] | ApprovalDecision,
      send: () => Promise<ChatAnswer>,
    ): Promise<void> => {
      const { decision, remember, reason } = typeof given === 'string' ? { decision: given } : given
      const at = new Date().toISOString()
      const done: Made = { itemId, messageId, toolCallId, decision, at }
      const one = {
        ...done,
        ...(reason ? { reason } : {}),
        ...(isWhole(remember) ? { remember } : {}),
      }
      const put = (...now: Made[]) =>
        setMade((before) => [...before.filter((other) => other.itemId !== itemId), ...now])
      put(one)
      try {
        const answer = await send()
        // It waits for somebody else's approval as well: its card says so.
        const isOpen = answer.pending?.some((other) => other.itemId === itemId)
        put(...(isOpen ? [] : [{ ...one, answer }]))
      } catch (error) {
        const refusal = error as AskbackError
        if (refusal.status !== 409) {
          put()
          throw error
        }
        put({ ...done, decision: 'late', refusal })
      }
    },
    [],
  )
  return { made, decide }
}

function isWhole(remember: Remember | undefined): remember is PermissionTerms {
  return remember?.max !== undefined && remember.per !== undefined
}
