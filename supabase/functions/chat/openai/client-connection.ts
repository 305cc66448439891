import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'

/**
 * Stop stops. In the OpenAI protocol there is no other word for it than to close the connection, which is also how a
 * retry begins. So a closed connection holds the run that it has begun or joined, once no other one follows it, in
 * whatever process: reads go on, and no write begins, as the claim in the database says. When the same request comes
 * again within 10 s it joins, and all goes on; if not, the run is stopped as `POST chat/:id/stop` does it, by whoever
 * looks first: the write that waits, the heartbeat, the clock, the next request. A write that is under way settles.
 *
 * A close is an abort of `request.signal` before the response was returned, or the cancel of a stream's body; never the
 * signal alone, which Deno aborts after every answer. Where a platform tells of neither, nothing is held. A person
 * who watches in an app is no such connection, and an app that is closed stops nothing: its streams are resumed.
 */
export interface ClientConnection {
  readonly isClosed: boolean
  /** Says which run it follows from now on. */
  follow(runId: string): void
  /** Says that the client has closed it. What it follows later is left at once. */
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
  const leave = () => {
    if (runId === undefined) return
    const args = { p_user_id: userId, p_run_id: runId, p_follower: id }
    keepAlive(rpc('remove_follower', args).catch((error) => writeLog('leaving-not-noted', { runId }, error)))
  }
  return {
    get isClosed() {
      return isClosed
    },
    follow(begun) {
      runId = begun
      if (isClosed) leave()
    },
    close() {
      if (isClosed) return
      isClosed = true
      leave()
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
