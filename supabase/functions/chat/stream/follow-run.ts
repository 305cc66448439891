import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { RunFeed, RunListener, RunOutcome } from '../turn/run-feed.ts'
import { type FollowOptions, followStoredRun } from './stored-run.ts'

/** Who is told what a run does. */
export type Follower = Pick<RunListener, 'know' | 'hear'>

/** Tells what a run does until it has ended, or until `gone` aborts: from this process, or from the database. */
export function followRun(
  run: { userId: string; runId: string },
  follower: Follower,
  { rpc, active, ...options }: { rpc: CallRpc; active: ActiveRuns } & FollowOptions,
): Promise<RunOutcome> {
  const feed = active.feed(run.runId)
  if (feed) return followFeed(feed, follower, options.gone)
  return followStoredRun(rpc, run.userId, run.runId, follower, options)
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
