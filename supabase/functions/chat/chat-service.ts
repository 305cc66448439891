import { z } from 'zod'
import type { StopAnswer, UploadedFile } from '../../../shared/api/run.ts'
import { runTimeouts } from '../../../shared/engine/core/timeouts.ts'
import { clockHeader, signClock } from '../../../shared/server/authentication/clock-signature.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { sweepQuietly } from '../../../shared/server/files/file-store.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { readersLanguage } from '../../../shared/server/reader/readers-language.ts'
import { answerAgain, type ChatAnswer } from './answer/chat-answer.ts'
import { conversationNotFound, deleteConversation } from './answer/conversations.ts'
import { storeFiles } from './files/store-files.ts'
import { uploadFile } from './files/upload-file.ts'
import type { TurnRequest } from './request/turn-request.ts'
import { carryOutSchedule, type DueSchedule, dueScheduleSchema, runNow } from './schedules/due-schedule.ts'
import { findSchedule } from './schedules/schedules.ts'
import { streamLatestRun, streamTurn } from './stream/stream-turn.ts'
import type { ActiveRuns } from './turn/active-runs.ts'
import { askProvider, unknownWriteSchema } from './turn/ask-provider.ts'
import { type BegunTurn, beginResume, beginTurn, isBegun, type Turn } from './turn/begin-turn.ts'
import type { Caller } from './turn/caller-headers.ts'
import type { Decision } from './turn/decision.ts'
import type { ChatDependencies } from './turn/dependencies.ts'
import { runTurn } from './turn/run-turn.ts'
import { interruptedAgain, untilDone } from './turn/until-done.ts'
import { waitForAnswer, waitForRun, waitForTurn } from './turn/wait-for-run.ts'

/** What clients can do in a conversation, in every form of request and answer. */
export interface ChatService {
  /** Stores the files of a request, and returns it with references to them. Throws ApiError 400 or 413. */
  storeFiles(userId: string, request: TurnRequest): Promise<TurnRequest>
  /** Stores the body of a request as a file for a message. Throws ApiError 400, 413, 429 or 503. */
  upload(userId: string, request: Request, name: string | undefined): Promise<UploadedFile>
  post(caller: Caller, request: TurnRequest): Promise<ChatAnswer>
  /** The same as a UI message stream. Throws ApiError if nothing was started. */
  stream(caller: Caller, request: TurnRequest): Promise<Response>
  /** The newest message of a conversation from its first part, while it is being written and a while after; else 204. */
  resumeStream(caller: Caller, conversationId: string): Promise<Response>
  resume(caller: Caller, conversationId: string, answer: Decision): Promise<ChatAnswer>
  stop(userId: string, conversationId: string): Promise<StopAnswer>
  /** Runs a schedule now; resolves once its run has begun. Throws ApiError 404 or 409. */
  runSchedule(userId: string, scheduleId: string): Promise<void>
  /** Deletes a conversation and stops its work. */
  delete(userId: string, conversationId: string): Promise<{ deleted: string }>
  /**
   * Continues up to 20 runs whose time has come, rings the bell, and asks providers about writes that may have happened;
   * resolves to the number of these runs once they are found. If there may be more, the function then calls itself, for as
   * long as runs begin or somebody is told; `chain`: what this call continues.
   */
  wake(chain?: string): Promise<number>
}

/** Milliseconds to wait for a stopped run to settle what it was doing. */
const stopLimitMs = 10_000
/** Waiting runs to continue by one request: each may take as much memory and CPU as one that a user has sent. */
const dueLimit = 20

const dueSchema = z.object({
  /** Null if nothing more is due, or another chain of requests goes on. */
  chain: z.string().nullable(),
  due: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.enum(['wait', 'input', 'approval', 'connection', 'skip']),
        userId: z.string(),
        conversationId: z.string(),
        itemId: z.string(),
        /** The decision of a run that died, as it was made. */
        decision: z.string().nullable(),
      }),
      z.object({ type: z.literal('schedule'), userId: z.string(), schedule: dueScheduleSchema }),
      z.object({ type: z.literal('unknown'), userId: z.string(), unknown: unknownWriteSchema }),
    ]),
  ),
})
type DueItem = Exclude<z.infer<typeof dueSchema>['due'][number], { type: 'unknown' | 'schedule' }>
const stoppedSchema = z.object({ runId: z.string().nullable() }).nullable()

export function createChatService(dependencies: ChatDependencies, active: ActiveRuns): ChatService {
  const { rpc } = dependencies

  /**
   * Carries out what the database says a request means. A run that is joined answers it too; one that keeps it from
   * beginning does not.
   */
  async function follow(
    caller: Caller,
    request: { stream: boolean; begin: (runId: string) => Promise<BegunTurn> },
  ): Promise<ChatAnswer> {
    const runId = crypto.randomUUID()
    const { userId } = caller
    let loaded: Turn | undefined
    const answerOf = (id: string) => waitForAnswer(rpc, active, userId, id, runTimeouts.joinMs)
    const carryOut = async (turn: BegunTurn) => {
      if (turn.kind === 'return') return answerAgain(turn.run)
      if (turn.kind !== 'join' && turn.kind !== 'busy') {
        loaded = turn
        const ended = await runTurn(turn, caller, dependencies, active, request)
        return 'replacedBy' in ended ? await answerOf(ended.replacedBy) : ended
      }
      const leave = active.enter(turn.runId)
      if (turn.kind === 'busy') return await waitForTurn(rpc, active, userId, turn.runId).finally(leave)
      return await answerOf(turn.runId).finally(leave)
    }
    const outcome = await untilDone(() => request.begin(runId), carryOut)
    if (outcome === 'interrupted') throw interruptedAgain()
    return outcome.answerIn(await readersLanguage(rpc, userId, caller.reader, loaded))
  }

  const resume = (
    caller: Caller,
    conversationId: string,
    decision: Decision,
    onBegun: (turn: BegunTurn) => void = () => {},
  ) =>
    follow(caller, {
      // After a decision, apps follow the answer while it is being written, by GET :id/stream.
      stream: decision.type !== 'wait',
      begin: async (runId) => {
        const turn = await beginResume(rpc, caller, conversationId, runId, decision)
        onBegun(turn)
        return turn
      },
    })

  const send = (
    caller: Caller,
    request: TurnRequest,
    onBegun: (turn: BegunTurn) => Promise<void> | void = () => {},
  ) =>
    follow(caller, {
      stream: false,
      begin: async (runId) => {
        const turn = await beginTurn(dependencies, caller, runId, request)
        await onBegun(turn)
        return turn
      },
    })

  return {
    async storeFiles(userId, request) {
      const stored = await storeFiles(request, userId, dependencies)
      if (stored !== request) dependencies.keepAlive(sweepQuietly(dependencies.files, userId))
      return stored
    },

    async upload(userId, request, name) {
      const file = await uploadFile(request, name, userId, dependencies)
      dependencies.keepAlive(sweepQuietly(dependencies.files, userId))
      return file
    },

    post: (caller, request) => send(caller, request),

    stream: (caller, request) => streamTurn(caller, request, dependencies, active),

    resumeStream: (caller, conversationId) => streamLatestRun(caller, conversationId, dependencies, active),

    resume: (caller, conversationId, answer) => resume(caller, conversationId, answer),

    stop: (userId, conversationId) => stopRun(dependencies, active, userId, conversationId),

    async runSchedule(userId, scheduleId) {
      const schedule = await findSchedule(rpc, userId, scheduleId)
      await runNow(rpc, schedule, (...message) => send({ userId }, ...message), dependencies.keepAlive)
    },

    async delete(userId, conversationId) {
      const deleted = await deleteConversation(rpc, userId, conversationId)
      active.stop(userId, conversationId)
      dependencies.keepAlive(sweepQuietly(dependencies.files, userId))
      return deleted
    },

    async wake(chain) {
      // The remains of files that the clock has deleted.
      if (!chain) dependencies.keepAlive(sweepQuietly(dependencies.files, null))
      // Loaded here: other requests need nothing of it. What is taken now is not due any more when the clock looks.
      const { ringBells } = await import('./bell/ring.ts')
      const { isAny, told } = await ringBells(dependencies)
      dependencies.keepAlive(told)
      const asked = rpc('take_due_runs', { p_limit: dueLimit, p_chain: chain ?? null })
      const found = await askDatabase(asked, dueSchema, 'not_resumed')
      const items = found.due.filter((one) => one.type !== 'unknown')
      const beginnings = items.map((item) =>
        item.type === 'schedule' ? wakeSchedule(item.userId, item.schedule) : wakeItem(item),
      )
      for (const one of found.due) {
        if (one.type === 'unknown') dependencies.keepAlive(askProvider(one.userId, one.unknown, dependencies))
      }
      const rung = told.then(() => isAny)
      if (found.chain !== null) dependencies.keepAlive(callAnew(found.chain, [...beginnings, rung]))
      return items.length
    },
  }

  /** Continues what was due; resolves to whether a run has begun for it. */
  function wakeItem({ userId, conversationId, itemId, type, decision }: DueItem): Promise<boolean> {
    const made = type === 'approval' ? { decision: decision as NonNullable<Decision['decision']> } : {}
    return new Promise((resolve) => {
      const onBegun = (turn: BegunTurn) => resolve(!isBegun(turn))
      const run = resume({ userId }, conversationId, { type, itemId, ...made }, onBegun)
      const failed = (error: unknown) => {
        resolve(false)
        writeLog('run-not-resumed', { conversationId }, error)
      }
      dependencies.keepAlive(run.catch(failed))
    })
  }

  /** Carries out a time of a schedule; resolves to whether a run has begun for it. */
  function wakeSchedule(userId: string, schedule: DueSchedule): Promise<boolean> {
    return new Promise((resolve) => {
      const run = carryOutSchedule(rpc, schedule, (...message) => send({ userId }, ...message), resolve)
      const failed = (error: unknown) => {
        resolve(false)
        writeLog('schedule-not-carried-out', { scheduleId: schedule.id }, error)
      }
      dependencies.keepAlive(run.catch(failed))
    })
  }

  /** Has another request continue what is still due. Where none of these has begun, the clock tries again later. */
  async function callAnew(chain: string, beginnings: Promise<boolean>[]): Promise<void> {
    const { fetch, functionUrl, functionSecret = '' } = dependencies
    if (!(await Promise.all(beginnings)).includes(true)) return
    try {
      const response = await fetch(functionUrl('chat/clock'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', [clockHeader]: await signClock(functionSecret) },
        body: JSON.stringify({ chain }),
      })
      await response.body?.cancel()
      if (!response.ok) writeLog('clock-not-called-anew', { status: response.status })
    } catch (error) {
      writeLog('clock-not-called-anew', {}, error)
    }
  }
}

/** Stops the conversation's run, and waits for what it was doing to settle. Throws ApiError 404. */
async function stopRun(
  { rpc }: ChatDependencies,
  active: ActiveRuns,
  userId: string,
  conversationId: string,
): Promise<StopAnswer> {
  const args = { p_user_id: userId, p_conversation_id: conversationId }
  const reply = await askDatabase(rpc('stop_run', args), stoppedSchema, 'not_stopped')
  if (reply === null) throw conversationNotFound()
  const { runId } = reply
  if (runId === null) return { conversationId, runId, stopped: false }
  active.stop(userId, conversationId)
  await waitForRun(rpc, active, userId, runId, stopLimitMs).catch((error) => {
    // A slow write settles later; the run is stopped all the same.
    if (!(error instanceof ApiError && error.code === 'still_running')) throw error
  })
  return { conversationId, runId, stopped: true }
}
