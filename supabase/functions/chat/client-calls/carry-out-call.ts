import { z } from 'zod'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import type { CallAnswer, CallRequest } from '../../../../shared/server/client-calls/client-call.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import { answerAgain, type ChatAnswer, type EndedRun } from '../answer/chat-answer.ts'
import { type ClientConnection, openClientConnection } from '../openai/client-connection.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import { type BegunTurn, isBegun } from '../turn/begin-turn.ts'
import type { Caller } from '../turn/caller-headers.ts'
import type { Decision } from '../turn/decision.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { runTurn } from '../turn/run-turn.ts'
import { interruptedAgain, untilDone } from '../turn/until-done.ts'
import { waitForAnswer, waitForTurn } from '../turn/wait-for-run.ts'
import { beginCall } from './begin-call.ts'
import { type Described, describeCall } from './describe-call.ts'
import { decisionIn } from './item-form.ts'
import { type ReadCall, readCall } from './load-tools.ts'

export interface CallParts {
  dependencies: ChatDependencies
  active: ActiveRuns
  resume: (caller: Caller, conversationId: string, decision: Decision) => Promise<ChatAnswer>
}

/** A call that is under way. */
export interface CallUnderWay {
  /** Resolves to what its program gets. Throws ApiError if nothing has begun. */
  answer: Promise<CallAnswer>
  /** Nobody waits for it any more: what is not claimed is not done. */
  leave(): void
}

/** Milliseconds between looks at an item that is decided elsewhere. */
const lookMs = 500

/** Carries out what a program asks for: a call, or its reply to what it was asked about one. */
export function carryOutCall(request: CallRequest, parts: CallParts): CallUnderWay {
  const { dependencies } = parts
  const runId = crypto.randomUUID()
  const connection = openClientConnection(runId, request.userId, dependencies)
  const endsAt = Date.now() + request.waitMs
  const work = request.reply
    ? takeReply(request, request.reply, endsAt, parts)
    : makeCall(request, runId, connection, parts)
  dependencies.keepAlive(work.catch(() => {}))
  return { answer: inTime(work, request.waitMs), leave: connection.close }
}

/** It goes on when the time is over. */
async function inTime(work: Promise<CallAnswer>, ms: number): Promise<CallAnswer> {
  let cancel = () => {}
  const end = new Promise<CallAnswer>((resolve) => {
    cancel = systemClock.after(ms, () => resolve({ kind: 'running' }))
  })
  return await Promise.race([work, end]).finally(cancel)
}

async function makeCall(
  request: CallRequest,
  runId: string,
  connection: ClientConnection,
  { dependencies, active }: CallParts,
): Promise<CallAnswer> {
  const { rpc } = dependencies
  const { userId } = request
  const call = await readCall(dependencies, request)
  let isAgain = false
  const answerOf = (id: string) => waitForAnswer(rpc, active, userId, id, request.waitMs + 5000)
  const begin = async () => {
    const turn = await beginCall(dependencies, request, call, runId)
    // Its write comes at once: nobody may wait for it any more.
    await connection.follow(turn.kind === 'return' ? turn.run.runId : turn.runId)
    return turn
  }
  const carryOut = async (turn: BegunTurn): Promise<EndedRun | 'interrupted'> => {
    isAgain = turn.kind === 'return'
    if (turn.kind === 'return') return answerAgain(turn.run)
    if (!isBegun(turn)) {
      const ended = await runTurn(turn, { userId }, dependencies, active, { stream: false })
      return 'replacedBy' in ended ? await answerOf(ended.replacedBy) : ended
    }
    if (turn.kind === 'busy') return await waitForTurn(rpc, active, userId, turn.runId)
    const leave = active.enter(turn.runId)
    return await answerOf(turn.runId).finally(leave)
  }
  const ended = await untilDone(begin, carryOut, { isGone: () => connection.isClosed })
  if (ended === 'interrupted') throw interruptedAgain()
  const about = await aboutCall(request, call, dependencies)
  return await describeCall(ended.answerIn(about.language), { ...about, isAgain }, dependencies)
}

async function aboutCall(
  { userId, grantId, canAsk }: CallRequest,
  { tools, forms, asked }: ReadCall,
  { rpc, requireAal2 }: ChatDependencies,
): Promise<Described> {
  return {
    userId,
    grantId,
    // No program proves a second factor: who has to, decides on the page.
    canAsk: requireAal2 ? { ...canAsk, form: false } : canAsk,
    forms,
    tools,
    isMessage: asked !== undefined,
    language: await readersLanguage(rpc, userId),
  }
}

const notedSchema = z.object({ late: z.boolean() }).nullable()

/** What has become of a call whose program was asked something. */
async function takeReply(
  request: CallRequest,
  { conversationId, itemId, action, content }: NonNullable<CallRequest['reply']>,
  endsAt: number,
  { dependencies, active, resume }: CallParts,
): Promise<CallAnswer> {
  const { rpc } = dependencies
  const { userId, program } = request
  const declined = action !== 'accept'
  const args = {
    p_user_id: userId,
    p_conversation_id: conversationId,
    p_item_id: itemId,
    p_declined: declined,
  }
  const noted = await askDatabase(rpc('note_program_reply', args), notedSchema, 'not_read')
  if (noted === null) throw new ApiError('conversation_not_found')
  const call = await readCall(dependencies, request)
  const about = { ...(await aboutCall(request, call, dependencies)), declined }
  const read = () => readNow(userId, conversationId, { dependencies, active })
  const before = await read()
  const item = itemIn(before, itemId)
  if (item && content && !declined && about.canAsk.form) {
    if (noted.late) {
      return await describeCall(before, { ...about, late: { itemId, filled: content } }, dependencies)
    }
    const decision = decisionIn(item, about, content)
    const by = { door: 'client', name: program.name } as const
    const answer =
      decision && (await resume({ userId }, conversationId, { ...decision, by }).catch(asDecided))
    if (answer) return await describeCall(answer, about, dependencies)
  }
  // A link was opened: its page decides, now or later.
  for (let answer = before; ; answer = await read()) {
    const isOver = declined || content !== undefined || !itemIn(answer, itemId)
    if (isOver || Date.now() + lookMs > endsAt) {
      return await describeCall(answer, about, dependencies)
    }
    await systemClock.sleep(lookMs)
  }
}

/** Somebody else was faster: what they have decided counts. */
function asDecided(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  writeLog('client-reply-late', { code: error.code })
  return undefined
}

function itemIn({ pending = [] }: ChatAnswer, itemId: string) {
  return pending.find((one) => one.itemId === itemId)
}

const latestSchema = z.object({ runId: z.string() }).nullable()

/** The answer of the newest run of a call, once it has ended. */
async function readNow(
  userId: string,
  conversationId: string,
  { dependencies: { rpc }, active }: Pick<CallParts, 'dependencies' | 'active'>,
): Promise<ChatAnswer> {
  const args = { p_user_id: userId, p_conversation_id: conversationId }
  const latest = await askDatabase(rpc('latest_run', args), latestSchema, 'not_read')
  if (!latest) throw new ApiError('conversation_not_found')
  const ended = await waitForAnswer(rpc, active, userId, latest.runId, 60_000)
  if (ended === 'interrupted') throw interruptedAgain()
  return ended.answerIn(await readersLanguage(rpc, userId))
}
