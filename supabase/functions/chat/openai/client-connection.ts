import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'

/**
 * The OpenAI protocol can only say "stop" by closing the connection, which is also how a retry begins. So once no
 * connection follows a run any more, in any process, the run is left: reads continue, but no write starts, which the
 * claim in the database enforces. If the same request comes again within 10 s, it joins and everything continues; if not,
 * the run is stopped like `POST chat/:id/stop`, by whoever looks first: the waiting write, the heartbeat, the clock, the
 * next request. A write in progress is settled.
 *
 * A close is an abort of `request.signal` before the response was returned, or the cancellation of a stream's body; never
 * the signal alone, which Deno aborts after every answer. If a platform reports neither, no run is left. A person
 * who watches in an app is not such a connection, and closing an app stops nothing: its streams are resumed.
 */
export interface ClientConnection {
  readonly isClosed: boolean
  /** Says which run it follows from now on. Resolves at once, or, if it is closed, when the run is left. */
  follow(runId: string): Promise<void>
  /** Says that the client has closed it. Anything it follows later is left at once. */
  close(): void
}

/** `id`: of its request, by which the database counts it. */
export function openClientConnection(
  id: string,
  userId: string,
  { rpc, keepAlive }: { rpc: CallRpc; keepAlive: (work: Promise<unknown>) => void },
): ClientConnection {
  let runId: string | undefined
  let isClosed = false
  const leave = async () => {
    if (runId === undefined) return
    const args = { p_user_id: userId, p_run_id: runId, p_follower: id }
    await rpc('remove_follower', args).catch((error) => writeLog('leaving-not-noted', { runId }, error))
  }
  return {
    get isClosed() {
      return isClosed
    },
    async follow(begun) {
      runId = begun
      if (isClosed) await leave()
    },
    close() {
      if (isClosed) return
      isClosed = true
      keepAlive(leave())
    },
  }
}

/** Answers; a client that leaves before there is a response has closed its connection. */
export async function untilAnswered(
  { signal }: Request,
  close: () => void,
  answer: () => Promise<Response>,
): Promise<Response> {
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  try {
    return await answer()
  } finally {
    signal.removeEventListener('abort', close)
  }
}
