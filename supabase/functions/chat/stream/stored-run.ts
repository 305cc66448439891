import { z } from 'zod'
import { waitBeforeTry } from '../../../../shared/engine/core/backoff.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { answerAgain } from '../answer/chat-answer.ts'
import { type RunView, runViewSchema, wholeEntries } from '../answer/run-view.ts'
import type { ReplacedRun, RunListener, RunOutcome } from '../turn/run-feed.ts'

const followedSchema = runViewSchema.extend({ hasWritten: z.boolean() })

const latestRunSchema = z
  .object({
    conversationId: z.string(),
    runId: z.string(),
    messageId: z.string(),
    isActive: z.boolean(),
    isUnread: z.boolean(),
    endedSecondsAgo: z.number().nullable(),
  })
  .nullable()

/** Seconds for which the end of a run is sent again, even to clients that have read it. */
const toldAgainSeconds = 60

/** The run that somebody who comes back to a conversation wants to see; undefined if there is nothing to resume. */
export async function findRunToResume(rpc: CallRpc, userId: string, conversationId: string) {
  const args = { p_user_id: userId, p_conversation_id: conversationId }
  const run = await askDatabase(rpc('latest_run', args), latestRunSchema, 'answer_not_read')
  if (run === null) return undefined
  const isRecent = (run.endedSecondsAgo ?? 0) <= toldAgainSeconds
  return run.isActive || run.isUnread || isRecent ? run : undefined
}

/** Seconds after which a stream counts as closed, if its process died: runs are not followed for longer. */
const streamSeconds = runTimeouts.joinMs / 1000

/** Registers a stream of an answer; returns a function that ends it. Throws ApiError 429 if the user has too many. */
export async function enterStream(rpc: CallRpc, userId: string): Promise<() => Promise<void>> {
  const args = { p_user_id: userId, p_stream_id: crypto.randomUUID() }
  const asked = rpc('open_stream', { ...args, p_seconds: streamSeconds })
  if (!(await askDatabase(asked, z.boolean(), 'answer_not_read'))) {
    throw new ApiError('rate_limited', { why: 'streams' }, { retryAfterSeconds: 5 })
  }
  return async () => {
    await rpc('close_stream', args).catch((error) => writeLog('stream-not-closed', {}, error))
  }
}

/** Records whether the client that followed a run has read its end. */
export async function noteReading(
  rpc: CallRpc,
  userId: string,
  runId: string,
  isRead: boolean,
): Promise<void> {
  const args = { p_user_id: userId, p_run_id: runId, p_read: isRead }
  await rpc('note_reading', args).catch((error) => writeLog('reading-not-noted', { runId }, error))
}

export interface FollowOptions {
  /** Ends the following, never the run. */
  gone?: AbortSignal | undefined
  /** For an OpenAI client, which keeps the run going: the id of its request. */
  connection?: string | undefined
}

/**
 * Follows a run that another process works on, or that is over, by what it has stored: whole entries, about every
 * second. Resolves when it has ended, was taken over, or when `gone` aborts. Throws ApiError.
 */
export async function followStoredRun(
  rpc: CallRpc,
  userId: string,
  runId: string,
  listener: Pick<RunListener, 'onEntries'>,
  { gone, connection }: FollowOptions = {},
): Promise<RunOutcome | ReplacedRun> {
  const entries: Entry[] = []
  const giveUp = Date.now() + runTimeouts.joinMs
  for (let polls = 1; !gone?.aborted && Date.now() < giveUp; polls++) {
    const args = {
      p_user_id: userId,
      p_run_id: runId,
      p_skip: entries.length,
      p_follower: connection ?? null,
    }
    const run = await askDatabase(rpc('follow_run', args), followedSchema.nullable(), 'answer_not_read')
    if (run === null) throw new ApiError('run_not_found')
    for (const entry of run.entries) entries.push(entry)
    const isActive = run.status === 'running' || run.status === 'stopping'
    // A run that continues another one starts by rewriting what that one has left open.
    const view = { ...run, entries }
    if (run.hasWritten || !isActive) listener.onEntries(wholeEntries(view), run.tools)
    if (run.replacedBy !== null) return { replacedBy: run.replacedBy }
    if (!isActive) return readOutcome(view)
    await systemClock.sleep(waitBeforeTry(polls, { baseMs: 100, longestMs: 1000 }), gone)
  }
  return 'interrupted'
}

/** How a stored run has ended. */
export function readOutcome(view: RunView): RunOutcome {
  if (view.status === 'interrupted') return 'interrupted'
  return { run: answerAgain(view), stopped: view.status === 'stopped' }
}
