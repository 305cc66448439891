import { z } from 'zod'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { type BegunTurn, beginTurn, isBegun } from '../turn/begin-turn.ts'
import type { CompletionRequest } from './completion-request.ts'

/** Seconds for which a client may still want an answer that it has missed: the SDK waits 600 for one. */
const repetitionSeconds = 900

const latestSchema = z.object({ endedSecondsAgo: z.number().nullable() }).nullable()

/**
 * Begins what a request asks for. One that comes again joins its run while that works, and gets the question that is
 * still open. After it has ended, who has not heard its answer gets that: a client that repeats the request by itself, and
 * one that was answered with a question. For anybody else it is done again in the same turn, where writes that were
 * done ask first. Throws ApiError.
 */
export async function beginCompletion(
  rpc: CallRpc,
  userId: string,
  runId: string,
  { turn, isForFrontEnd }: CompletionRequest,
  isRepeated: boolean,
): Promise<BegunTurn> {
  let begun = await beginTurn(rpc, userId, runId, turn)
  if (begun.kind === 'return' && begun.run.pending.length === 0) {
    // Who was answered with a question has not heard yet what came of it.
    const isUnheard = isRepeated || begun.run.entries.filter(({ type }) => type === 'run-end').length > 1
    const isMissed = isUnheard && (await endedSeconds(rpc, userId, turn.conversationId)) < repetitionSeconds
    if (!isMissed) begun = await beginTurn(rpc, userId, runId, { ...turn, trigger: 'regenerate-message' })
  }
  if (isBegun(begun) || !isForFrontEnd) return begun
  return { ...begun, tools: [] }
}

async function endedSeconds(rpc: CallRpc, userId: string, conversationId: string): Promise<number> {
  const args = { p_user_id: userId, p_conversation_id: conversationId }
  const consequence = 'so the answer cannot be read. Try again in a minute.'
  const latest = await askDatabase(rpc('latest_run', args), latestSchema, consequence)
  return latest?.endedSecondsAgo ?? Number.POSITIVE_INFINITY
}
