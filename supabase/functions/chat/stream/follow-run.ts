import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { ReplacedRun, RunFeed, RunListener, RunOutcome } from '../turn/run-feed.ts'
import { type FollowOptions, followStoredRun } from './stored-run.ts'

/** A listener that follows a run while it works. */
export interface Follower extends Pick<RunListener, 'onEntries' | 'onEvent'> {
  /** Another run goes on with the message: whatever is not in its entries was void. */
  onReplaced(): void
}

/**
 * Follows a run until it ends, or until `gone` aborts: in this process, or by what it stores in the database. If another
 * one takes its place, follows that.
 */
export async function followRun(
  run: { userId: string; runId: string },
  follower: Follower,
  options: { rpc: CallRpc; active: ActiveRuns } & FollowOptions,
): Promise<RunOutcome> {
  const { rpc, active, ...others } = options
  const feed = active.feed(run.runId)
  const outcome = await (feed
    ? followFeed(feed, follower, others.gone)
    : followStoredRun(rpc, run.userId, run.runId, follower, others))
  if (typeof outcome !== 'object' || !('replacedBy' in outcome)) return outcome
  follower.onReplaced()
  return await followRun({ ...run, runId: outcome.replacedBy }, follower, options)
}

/** An error in a follower ends the following, never the run. */
function followFeed(
  feed: RunFeed,
  follower: Follower,
  gone?: AbortSignal,
): Promise<RunOutcome | ReplacedRun> {
  return new Promise((resolve, reject) => {
    const orFail =
      <Args extends unknown[]>(follow: (...args: Args) => void) =>
      (...args: Args) => {
        try {
          follow(...args)
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
