import { z } from 'zod'
import type { StoredSchedule } from '../../../../shared/api/schedule.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { nextTimes } from '../../../../shared/server/schedules/next-times.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import { readTurnRequest, type TurnRequest } from '../request/turn-request.ts'
import { type BegunTurn, isBegun } from '../turn/begin-turn.ts'

/** A time of a schedule that the clock hands out. */
export const dueScheduleSchema = z.object({
  id: z.string(),
  /** ISO 8601. */
  dueAt: z.string(),
  messageId: z.string(),
  agentId: z.string(),
  conversationId: z.string(),
  message: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  until: z.string().nullable(),
  missed: z.enum(['run', 'skip']),
})
export type DueSchedule = z.infer<typeof dueScheduleSchema>

/** Sends a message as a user; `onBegun` is awaited before the run works. */
export type SendMessage = (
  request: TurnRequest,
  onBegun: (turn: BegunTurn) => Promise<void>,
) => Promise<ChatAnswer>

/** What became of a time. */
type Outcome =
  | { outcome: 'begun'; runId?: string }
  | { outcome: 'open' | 'missed' }
  | { outcome: 'refused'; code: string }

/** Milliseconds after which a time counts as missed. */
const lateMs = 600_000

/**
 * Carries out a time of a schedule, whichever process does it first: its message has the same id each time. Resolves at the
 * end of the run; `onBegun` hears whether one has begun. Rejects as the database does: the time is then still due.
 */
export async function carryOutSchedule(
  rpc: CallRpc,
  schedule: DueSchedule,
  send: SendMessage,
  onBegun: (hasBegun: boolean) => void,
): Promise<void> {
  const { id, dueAt, messageId, missed } = schedule
  const now = Date.now()
  const [next] = (await nextTimes(schedule, new Date(now), 1)) ?? []
  const note = (became: Outcome) =>
    rpc('note_schedule_time', {
      p_schedule_id: id,
      p_time: { dueAt, messageId, ...became, nextAt: next ?? null },
    })
  const verdict = await judge(rpc, id, messageId, dueAt)
  if (verdict === 'begin' && missed === 'skip' && now - Date.parse(dueAt) > lateMs) {
    await note({ outcome: 'missed' })
  } else if (verdict === 'begin' || verdict === 'again') {
    return await begin(rpc, schedule, messageId, { send, note, onBegun })
  } else if (verdict !== null) {
    await note({ outcome: verdict })
  }
  onBegun(false)
}

/** Whether it is to begin, `again` if it has once; null if it is not due (any more), or gone. */
function judge(rpc: CallRpc, id: string, messageId: string, dueAt?: string) {
  const judged = rpc('judge_schedule_time', { p_schedule_id: id, p_message_id: messageId, p_due_at: dueAt })
  return askDatabase(judged, z.enum(['begin', 'again', 'open']).nullable(), 'not_resumed')
}

type Message = Pick<DueSchedule, 'id' | 'conversationId' | 'agentId' | 'message'>

/** Runs a schedule by hand. Resolves once the run has begun. Throws ApiError: 409 while the one before is not over. */
export async function runNow(
  rpc: CallRpc,
  schedule: StoredSchedule,
  send: SendMessage,
  keepAlive: (work: Promise<unknown>) => void,
): Promise<void> {
  const { id, createdAt, history } = schedule
  // Two clicks are one run.
  const messageId = `scheduled-now-${Date.parse(history[0]?.dueAt ?? createdAt)}`
  const verdict = await judge(rpc, id, messageId)
  if (verdict === null) throw new ApiError('schedule_not_found')
  if (verdict === 'open') throw new ApiError('schedule_open')
  const dueAt = new Date().toISOString()
  const note = (became: Outcome) =>
    rpc('note_schedule_time', { p_schedule_id: id, p_time: { dueAt, messageId, ...became } })
  await new Promise<void>((resolve, reject) => {
    keepAlive(begin(rpc, schedule, messageId, { send, note, onBegun: () => resolve() }).catch(reject))
  })
}

interface Beginning {
  send: SendMessage
  note(became: Outcome): Promise<unknown>
  onBegun(hasBegun: boolean): void
}

async function begin(
  rpc: CallRpc,
  { id, conversationId, agentId, message }: Message,
  messageId: string,
  { send, note, onBegun }: Beginning,
): Promise<void> {
  const request = readTurnRequest({ message, messageId, conversationId, agentId }, 'json')
  try {
    await send(request, async (turn) => {
      // Something else works in its conversation; this comes after it.
      if (turn.kind === 'busy') return
      await note({ outcome: 'begun', runId: turn.kind === 'return' ? turn.run.runId : turn.runId })
      onBegun(!isBegun(turn))
    })
  } catch (error) {
    if (error instanceof ApiError && isLasting(error)) await note({ outcome: 'refused', code: error.code })
    throw error
  } finally {
    await rpc('pause_failing_schedule', { p_schedule_id: id })
  }
}

/**
 * Whether trying again within the hour would change nothing. A database or a model that is away leaves a time due, and so
 * does a user who has as many answers as may be written at once, or in a minute.
 */
function isLasting({ status, isFinal, isBudget }: ApiError): boolean {
  if (status === 429) return isBudget
  return status < 500 || status === 502 || isFinal
}
