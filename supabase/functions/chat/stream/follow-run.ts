import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { RunFeed, RunListener, RunOutcome } from '../turn/run-feed.ts'
import { type FollowOptions, followStoredRun } from './stored-run.ts'

/** A listener that follows a run while it works. */
export type Follower = Pick<RunListener, 'onEntries' | 'onEvent'>

/** Follows a run until it ends, or until `gone` aborts: in this process, or by what it stores in the database. */
export function followRun(
  run: { userId: string; runId: string },
  follower: Follower,
  { rpc, active, ...options }: { rpc: CallRpc; active: ActiveRuns } & FollowOptions,
): Promise<RunOutcome> {
  const feed = active.feed(run.runId)
  if (feed) return followFeed(feed, follower, options.gone)
  return followStoredRun(rpc, run.userId, run.runId, follower, options)
}

/** An error in a follower ends the following, never the run. */
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
      onEntries: orFail((entries, tools) => follower.onEntries(entries, tools)),
      onEvent: orFail((event) => follower.onEvent(event)),
      onEnd: resolve,
    })
    gone?.addEventListener('abort', () => {
      leave()
      resolve('interrupted')
    })
  })
}
