import type { AgentResponse } from '../run/agent-response.ts'
import type { Run } from '../run/run.ts'

/** Works on a run while the caller's signal can stop it. */
export async function withStop(
  run: Run,
  signal: AbortSignal | undefined,
  work: () => Promise<AgentResponse>,
): Promise<AgentResponse> {
  const stop = () => run.stopping.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  try {
    return await work()
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
