import { wholeEntries } from '../answer/run-view.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { BegunTurn } from '../turn/begin-turn.ts'
import type { Caller } from '../turn/caller-headers.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import type { RunOutcome } from '../turn/run-feed.ts'
import { type AnswerOptions, runTurn } from '../turn/run-turn.ts'
import { waitForTurn } from '../turn/wait-for-run.ts'
import { type Follower, followRun } from './follow-run.ts'
import { type FollowOptions, readOutcome } from './stored-run.ts'

/**
 * Carries out what a request turned out to mean: starts its run, joins the one already working on it, waits for another
 * run to end, or reads the stored answer. `follower` receives it until it ends, or until `gone` aborts.
 */
export function startOrJoin(
  turn: BegunTurn,
  caller: Caller,
  follower: Follower,
  dependencies: ChatDependencies,
  { active, gone, connection, ...form }: { active: ActiveRuns } & FollowOptions & AnswerOptions,
): Promise<RunOutcome> {
  if (turn.kind === 'return') {
    follower.onEntries(wholeEntries(turn.run), turn.run.tools)
    return Promise.resolve(readOutcome(turn.run))
  }
  if (turn.kind === 'busy') return waitForTurn(dependencies.rpc, active, caller.userId, turn.runId)
  if (turn.kind !== 'join') {
    // Its feed reports how it fails.
    runTurn(turn, caller, dependencies, active, form).catch(() => {})
  }
  const { rpc } = dependencies
  return followRun({ userId: caller.userId, runId: turn.runId }, follower, { rpc, active, gone, connection })
}
