import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { schemaVersion } from '../../../../shared/server/version.ts'
import type { RunPlace } from '../answer/chat-answer.ts'
import type { RunView } from '../answer/run-view.ts'
import type { ClientDecision, TurnRequest } from '../request/turn-request.ts'
import { withBrief } from '../request/user-message.ts'
import { beginRefused } from './begin-refused.ts'
import type { Caller } from './caller-headers.ts'
import { describeTools } from './catalogue.ts'
import type { Decision } from './decision.ts'
import type { ChatDependencies } from './dependencies.ts'
import { refuseByLimit } from './limit-words.ts'
import { type DecidedItem, type LoadedTurn, type TurnReply, turnReplySchema } from './loaded-turn.ts'
import { rateOfRuns } from './recent-refusals.ts'
import { describeServers } from './servers.ts'

/** Sent with every request that starts a run. */
export const runTerms = {
  version: schemaVersion,
  leaseSeconds: runTimeouts.leaseMs / 1000,
}

/** A run to do, with what was decided about the calls that waited. */
export type Turn = LoadedTurn & { decisions: Decision[] }

/** What a request means: a run to do, a run to wait for, or an existing answer. */
export type BegunTurn =
  | Turn
  | ({ kind: 'join' } & RunPlace)
  /** A run works in the conversation, and what is decided has to wait for its end. */
  | ({ kind: 'busy' } & RunPlace)
  | { kind: 'return'; run: RunView }

/** True for a run that another request has started: this one only reads it. */
export function isBegun(turn: BegunTurn): turn is Exclude<BegunTurn, Turn> {
  return turn.kind === 'join' || turn.kind === 'busy' || turn.kind === 'return'
}

/**
 * Stores the message and starts its run in one round trip, or returns what the request means instead. `runId` becomes the
 * run's id if one starts; the call may be repeated with the same id. Throws ApiError.
 */
export function beginTurn(
  { rpc, refusals }: Pick<ChatDependencies, 'rpc' | 'refusals'>,
  { userId, reader }: Caller,
  runId: string,
  request: TurnRequest,
): Promise<BegunTurn> {
  const messages = request.messages.map(withBrief)
  const p_request = { ...namedBy(reader), ...request, messages, runId, ...runTerms }
  const findDecision = (open: DecidedItem) => {
    const decision = request.decisions.find(({ approvalId }) => approvalId === open.itemId)
    return decision && toDecision(decision)
  }
  return refusals.unlessRefused(rateOfRuns(userId, request.conversationId), () =>
    readReply(rpc, userId, rpc('begin_turn', { p_user_id: userId, p_request }), findDecision),
  )
}

/** Continues a run that waits, only once, whoever answers first. Throws ApiError. */
export function beginResume(
  rpc: CallRpc,
  { userId, reader }: Caller,
  conversationId: string,
  runId: string,
  answer: Decision,
): Promise<BegunTurn> {
  // Whoever has the link, or approves for a group, is not whom the user's own answers are written for.
  const isOther = answer.by?.door === 'link' || answer.approverId !== undefined
  const named = isOther ? {} : namedBy(reader)
  const p_answer = { ...answer, ...named, runId, ...runTerms }
  const args = { p_user_id: userId, p_conversation_id: conversationId, p_answer }
  return readReply(rpc, userId, rpc('begin_resume', args), () => answer)
}

/** What is kept of the reader, for what no client asks for. */
export function namedBy(reader: Caller['reader']): {
  timezone?: string | undefined
  language?: string | undefined
} {
  return { timezone: reader?.client.timeZone, language: reader?.client.language }
}

async function readReply(
  rpc: CallRpc,
  userId: string,
  asked: Promise<unknown>,
  findDecision: (open: DecidedItem) => Decision | undefined,
): Promise<BegunTurn> {
  return await readTurnReply(
    rpc,
    userId,
    await askDatabase(asked, turnReplySchema, 'message_not_stored'),
    findDecision,
  )
}

/** Reads the database's answer to a request. Throws ApiError if it refuses. */
export async function readTurnReply(
  rpc: CallRpc,
  userId: string,
  reply: TurnReply,
  findDecision: (open: DecidedItem) => Decision | undefined = () => undefined,
): Promise<BegunTurn> {
  switch (reply.kind) {
    case 'error':
      throw reply.about ? refuseByLimit(reply.code, reply.about, reply.retryAfter) : beginRefused(reply.code)
    case 'run':
    case 'continue':
      return {
        ...reply,
        tools: await describeTools(rpc, reply, await describeServers(rpc, userId, reply.servers)),
        decisions: reply.decided.flatMap((open) => bind(findDecision(open), open)),
      }
    default:
      return reply
  }
}

/** The decision on exactly the item that the database has found open. */
function bind(decision: Decision | undefined, { type, itemId, toolCallId, made }: DecidedItem): Decision[] {
  if (!decision) return []
  const { by = decision.by, approvedBy } = made ?? {}
  return [
    {
      ...decision,
      type: decision.type === 'resume' ? type : decision.type,
      itemId,
      toolCallId,
      ...(by ? { by } : {}),
      approvedBy,
    },
  ]
}

function toDecision({ toolCallId, approved, reason }: ClientDecision): Decision {
  const decision = approved ? 'approve' : 'deny'
  return { type: 'approval', toolCallId, decision, reason: reason || undefined }
}
