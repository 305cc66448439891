import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { RunFeed, RunListener, RunOutcome } from '../turn/run-feed.ts'
import { followStoredRun } from './stored-run.ts'

/** Who is told what a run does. */
export type Follower = Pick<RunListener, 'know' | 'hear'>

/** Tells what a run does until it has ended, or until `gone` aborts: from this process, or from the database. */
export function followRun(
  run: { userId: string; runId: string },
  follower: Follower,
  { rpc, active, gone }: { rpc: CallRpc; active: ActiveRuns; gone?: AbortSignal | undefined },
): Promise<RunOutcome> {
  const feed = active.feed(run.runId)
  return feed ? followFeed(feed, follower, gone) : followStoredRun(rpc, run.userId, run.runId, follower, gone)
}

/** A fault in telling a run ends what is told of it, never the run. */
function followFeed(feed: RunFeed, follower: Follower, gone?: AbortSignal): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    const orFail =
      <Told extends unknown[]>(tell: (...told: Told) => void) =>
      (...told: Told) => {
        try {
          tell(...told)
        } catch (error) {
          reject(error)
        }
      }
    const leave = feed.follow({
      know: orFail((entries, tools) => follower.know(entries, tools)),
      hear: orFail((event) => follower.hear(event)),
      end: resolve,
    })
    gone?.addEventListener('abort', () => {
      leave()
      resolve('interrupted')
    })
  })
}
