import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { RunPlace } from '../answer/chat-answer.ts'
import { type ClientDecision, decides, type TurnRequest } from '../request/turn-request.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import { type BegunTurn, beginTurn, isBegun } from '../turn/begin-turn.ts'
import type { Caller } from '../turn/caller-headers.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import type { RunOutcome } from '../turn/run-feed.ts'
import { untilDone } from '../turn/until-done.ts'
import { followRun } from './follow-run.ts'
import { messageResponse } from './message-response.ts'
import type { MessageStream } from './message-stream.ts'
import { startOrJoin } from './start-or-join.ts'
import { enterStream, findRunToResume, noteReading } from './stored-run.ts'

/**
 * Carries out what the database says a POST means, and answers with the message while it is being written: from its first
 * part, or, for a client that continues it, with what is new. Throws ApiError if nothing was started.
 */
export async function streamTurn(
  caller: Caller,
  request: TurnRequest,
  dependencies: ChatDependencies,
  active: ActiveRuns,
): Promise<Response> {
  const { rpc, keepAlive } = dependencies
  const runId = crypto.randomUUID()
  const begin = () => beginTurn(dependencies, caller, runId, request)
  let begun = await begin()
  const loaded = isBegun(begun) ? undefined : begun
  const language = await readersLanguage(rpc, caller.userId, caller.reader, loaded)
  const place = placeOf(begun, runId, request)
  const leave = isBegun(begun) ? active.enter(begun.kind === 'return' ? place.runId : begun.runId) : () => {}

  const follow = (message: MessageStream, gone: AbortSignal): Promise<RunOutcome> => {
    // A decision is carried out even if its client has gone.
    const options = { active, gone: decides(request) ? undefined : gone, stream: true }
    const carryOut = (turn: BegunTurn) => {
      begun = turn
      return startOrJoin(turn, caller, message, dependencies, options)
    }
    // A request that waits its turn is accepted: it begins even if its client has gone.
    const isGone = () => gone.aborted && begun.kind !== 'busy'
    return untilDone(begin, carryOut, { first: begun, isGone })
  }

  const onEnd = async (isRead: boolean) => {
    if (!isRead && begun.kind !== 'return') await noteReading(rpc, caller.userId, begun.runId, false)
  }
  return messageResponse(place, language, continuedBy(request, place), follow, onEnd, (work) =>
    keepAlive(work.finally(leave)),
  )
}

/** The newest message of a conversation from its first part; 204 if there is nothing to resume. */
export async function streamLatestRun(
  { userId, reader }: Caller,
  conversationId: string,
  { rpc, keepAlive }: ChatDependencies,
  active: ActiveRuns,
): Promise<Response> {
  const [run, language] = await Promise.all([
    findRunToResume(rpc, userId, conversationId),
    readersLanguage(rpc, userId, reader),
  ])
  if (!run) return new Response(null, { status: 204 })
  const leave = active.enter(run.runId)
  const endStream = await enterStream(rpc, userId).catch((error) => {
    leave()
    throw error
  })
  const follow = (message: MessageStream, gone: AbortSignal) =>
    followRun({ userId, runId: run.runId }, message, { rpc, active, gone })
  const onEnd = async (isRead: boolean) => {
    if (isRead && run.isUnread) await noteReading(rpc, userId, run.runId, true)
  }
  return messageResponse(run, language, undefined, follow, onEnd, (work) =>
    keepAlive(work.finally(leave).finally(endStream)),
  )
}

/** The decisions of a client that posts the assistant message which the run writes; undefined for any other client. */
function continuedBy(request: TurnRequest, { messageId }: RunPlace): ClientDecision[] | undefined {
  const { lastMessage, decisions, trigger } = request
  const ids = [request.messageId, lastMessage?.role === 'assistant' ? lastMessage.id : undefined]
  if (trigger === 'regenerate-message' || !ids.includes(messageId)) return undefined
  return decisions.filter((decision) => decision.messageId === messageId)
}

/** When waiting for another run: the message that the client continues, or a new one. */
function placeOf(begun: BegunTurn, ownRunId: string, request: TurnRequest): RunPlace {
  const { conversationId, runId, messageId } = begun.kind === 'return' ? begun.run : begun
  if (begun.kind !== 'busy') return { conversationId, runId, messageId }
  const continued = decides(request) ? request.lastMessage?.id : undefined
  return { conversationId, runId: ownRunId, messageId: continued ?? ownRunId }
}
