import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { RunFeed, RunOutcome } from '../turn/run-feed.ts'
import type { MessageStream } from './message-stream.ts'
import { followStoredRun } from './stored-run.ts'

/** Writes a run to a message until it has ended, or until `gone` aborts: from this process, or from the database. */
export function followRun(
  run: { userId: string; runId: string },
  message: MessageStream,
  { rpc, active, gone }: { rpc: CallRpc; active: ActiveRuns; gone?: AbortSignal | undefined },
): Promise<RunOutcome> {
  const feed = active.feed(run.runId)
  return feed ? followFeed(feed, message, gone) : followStoredRun(rpc, run.userId, run.runId, message, gone)
}

/** A fault in telling a run ends what is told of it, never the run. */
function followFeed(feed: RunFeed, message: MessageStream, gone?: AbortSignal): Promise<RunOutcome> {
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
      know: orFail((entries, tools) => message.know(entries, tools)),
      hear: orFail((event) => message.hear(event)),
      end: resolve,
    })
    gone?.addEventListener('abort', () => {
      leave()
      resolve('interrupted')
    })
  })
}
