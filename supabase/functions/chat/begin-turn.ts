import { type CallRpc, DatabaseError } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { runLeaseSeconds } from './heartbeat.ts'
import type { ContinuedTurn, Decision, NewTurn, RunView, TurnReply } from './loaded-turn.ts'
import type { TurnRequest } from './turn-request.ts'

/** Bytes of earlier messages that the model reads again: about 60,000 tokens, which most models can hold. */
const historyBytes = 256 * 1024

/** What a request came to: a run to do, a run to wait for, or the answer that is already there. */
export type BegunTurn =
  | NewTurn
  | ContinuedTurn
  | { kind: 'join'; runId: string }
  | { kind: 'return'; run: RunView }

/**
 * Stores the message and begins its run in one round trip, or says what the request means instead. `runId` is the
 * run's id if one begins; the same id may be asked for again. Throws ApiError.
 */
export function beginTurn(
  rpc: CallRpc,
  userId: string,
  runId: string,
  request: TurnRequest,
): Promise<BegunTurn> {
  const p_request = { ...request, runId, leaseSeconds: runLeaseSeconds, historyBytes }
  return readReply(rpc('begin_turn', { p_user_id: userId, p_request }))
}

/** Goes on with a run that waits, one time only, whoever answers first. Throws ApiError. */
export function beginResume(
  rpc: CallRpc,
  userId: string,
  conversationId: string,
  runId: string,
  answer: Decision,
): Promise<BegunTurn> {
  const p_answer = { ...answer, runId, leaseSeconds: runLeaseSeconds, historyBytes }
  return readReply(rpc('begin_resume', { p_user_id: userId, p_conversation_id: conversationId, p_answer }))
}

async function readReply(asked: Promise<unknown>): Promise<BegunTurn> {
  const reply = (await asked.catch((error) => {
    throw databaseAway(error, 'so your message is not stored yet. Send it again in a minute.')
  })) as TurnReply
  if (reply.kind === 'error') throw new ApiError(reply.status, reply.code, reply.message)
  return reply
}

/** An ApiError for a database that does not answer; any other error as it is. */
export function databaseAway(error: unknown, consequence: string): unknown {
  if (!(error instanceof DatabaseError) || !error.transient) return error
  return new ApiError(503, 'database_unavailable', `The database cannot be reached, ${consequence}`, {
    cause: error,
  })
}
