import { z } from 'zod'
import type { CallRequest } from '../../../../shared/server/client-calls/client-call.ts'
import type { Exchange } from '../protocol/service.ts'

const stateSchema = z.object({ conversationId: z.string(), itemId: z.string() })

/** What a client says to what it was asked; undefined for a call that was not asked about. */
export function readReply({ state, answers }: Exchange): CallRequest['reply'] {
  const known = stateSchema.safeParse(state).data
  if (!known) return undefined
  const answer = answers?.item
  // One that sends the state back with no answer has nobody to ask.
  if (answer?.kind !== 'elicit') return { ...known, action: 'cancel' }
  const { action, content } = answer
  return { ...known, action, ...(content && { content }) }
}
