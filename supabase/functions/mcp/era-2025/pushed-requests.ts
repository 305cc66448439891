import { z } from 'zod'
import { waitBeforeTry } from '../../../../shared/engine/core/backoff.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { isUuid } from '../../../../shared/engine/core/uuid.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { Caller } from '../protocol/caller.ts'
import type { JSONRPCErrorResponse, JSONRPCResultResponse } from '../protocol/sdk.ts'

export type PushedAnswer = Pick<JSONRPCResultResponse, 'result'> | Pick<JSONRPCErrorResponse, 'error'>

/** Requests that were pushed to clients, in the database: their answers arrive in any process. */
export interface PushedRequests {
  /** Resolves to the id of a request that may be pushed now. `itemId`: what it asks about, if it is answered later. */
  open(caller: Caller, itemId?: string): Promise<string>
  /** Whether this caller was asked that. */
  answer(caller: Caller, id: unknown, answer: PushedAnswer): Promise<boolean>
  /** Undefined when the signal aborts first. */
  follow(caller: Caller, id: string, signal: AbortSignal): Promise<PushedAnswer | undefined>
}

const answerSchema = z.union([
  z.object({ result: z.record(z.string(), z.unknown()) }),
  z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }) }),
])

export function createPushedRequests(rpc: CallRpc): PushedRequests {
  return {
    async open({ userId, grant }, itemId) {
      const id = crypto.randomUUID()
      const args = { p_user_id: userId, p_grant_key: grant, p_request_id: id, p_item_id: itemId }
      await rpc('push_request', args)
      return id
    },
    async answer({ userId, grant }, id, answer) {
      if (!isUuid(id)) return false
      const args = { p_user_id: userId, p_grant_key: grant, p_request_id: id, p_answer: answer }
      return await askDatabase(rpc('answer_pushed', args), z.boolean())
    },
    async follow({ userId }, id, signal) {
      for (let polls = 1; !signal.aborted; polls++) {
        const asked = rpc('read_pushed', { p_user_id: userId, p_request_id: id })
        const answer = await askDatabase(asked, answerSchema.nullable())
        if (answer !== null) return answer as PushedAnswer
        await systemClock.sleep(waitBeforeTry(polls, { baseMs: 50, longestMs: 1000 }), signal)
      }
      return undefined
    },
  }
}
