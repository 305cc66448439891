import { runTimeouts } from '../../../shared/engine/core/timeouts.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'

/** Seconds after which a run without a heartbeat counts as interrupted. */
export const runLeaseSeconds = runTimeouts.leaseMs / 1000

/**
 * Keeps a run's lease while it works, and hears when it was stopped from elsewhere or taken over. A beat that
 * fails is left to the next one. Returns the function that ends it.
 */
export function keepHeartbeat(runId: string, rpc: CallRpc, stop: () => void): () => void {
  const beat = async () => {
    const reply = await rpc('heartbeat_run', { p_run_id: runId, p_lease_seconds: runLeaseSeconds })
    const { stopRequested, lost } = reply as { stopRequested: boolean; lost: boolean }
    if (stopRequested || lost) stop()
  }
  const timer = setInterval(() => {
    beat().catch(() => {})
  }, runTimeouts.heartbeatMs)
  return () => clearInterval(timer)
}
