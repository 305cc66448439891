import { waitBeforeTry } from '../../../../shared/engine/core/backoff.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { answerAgain, type EndedRun } from '../answer/chat-answer.ts'
import { type RunView, runViewSchema } from '../answer/run-view.ts'
import type { ActiveRuns } from './active-runs.ts'

/**
 * Waits until a run has ended, here or in another process, at most `limitMs`. Throws ApiError 404 if there is no
 * such run and 503 if it takes longer.
 */
export async function waitForRun(
  rpc: CallRpc,
  active: ActiveRuns,
  userId: string,
  runId: string,
  limitMs: number,
): Promise<RunView> {
  const giveUp = Date.now() + limitMs
  for (let polls = 1; ; polls++) {
    await atMost(giveUp - Date.now(), active.ended(runId))
    const asked = rpc('get_run', { p_user_id: userId, p_run_id: runId })
    const view = await askDatabase(asked, runViewSchema.nullable(), 'answer_not_read')
    if (view === null) throw new ApiError('run_not_found')
    if (view.status !== 'running' && view.status !== 'stopping') return view
    if (Date.now() >= giveUp) throw new ApiError('still_running', { why: 'answer' }, { status: 503 })
    await systemClock.sleep(waitBeforeTry(polls, { baseMs: 100, longestMs: 1000 }))
  }
}

/** The same as the answer of the run, or of the one that has taken its place; `interrupted` if nobody goes on with it. */
export async function waitForAnswer(
  rpc: CallRpc,
  active: ActiveRuns,
  userId: string,
  runId: string,
  limitMs: number,
): Promise<EndedRun | 'interrupted'> {
  const giveUp = Date.now() + limitMs
  for (let next = runId; ; ) {
    const view = await waitForRun(rpc, active, userId, next, giveUp - Date.now())
    if (view.status !== 'interrupted') return answerAgain(view)
    if (view.replacedBy === null) return 'interrupted'
    next = view.replacedBy
  }
}

/** Milliseconds after which a request that waits its turn asks for it again. */
const askAgainMs = 2000

/** Waits for a run that keeps another request from beginning: until it ends, or until that is worth another try. */
export async function waitForTurn(
  rpc: CallRpc,
  active: ActiveRuns,
  userId: string,
  runId: string,
): Promise<'interrupted'> {
  await waitForRun(rpc, active, userId, runId, askAgainMs).catch((error) => {
    if (!(error instanceof ApiError && error.code === 'still_running')) throw error
  })
  return 'interrupted'
}

async function atMost(ms: number, work: Promise<void> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeIsOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeIsOver])
  clearTimeout(timer)
}
