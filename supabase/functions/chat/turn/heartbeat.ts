import { z } from 'zod'
import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { EntryBuffer } from './entry-buffer.ts'

const beatSchema = z.object({ stopRequested: z.boolean(), lost: z.boolean() })

/**
 * Keeps a run's lease while it works, stores what it has written, and notices when it was stopped elsewhere or
 * taken over. If a beat fails, the next one makes up for it. Returns a function that stops it.
 */
export function keepHeartbeat(
  runId: string,
  rpc: CallRpc,
  buffer: EntryBuffer,
  stop: () => void,
): () => void {
  const beat = async () => {
    const args = { p_run_id: runId, p_lease_seconds: runTimeouts.leaseMs / 1000 }
    const { stopRequested, lost } = await buffer.flush(
      async (p_entries) => beatSchema.parse(await rpc('heartbeat_run', { ...args, p_entries })),
      (reply) => !reply.lost,
    )
    if (stopRequested || lost) stop()
  }
  const timer = setInterval(() => {
    beat().catch(() => {})
  }, runTimeouts.heartbeatMs)
  return () => clearInterval(timer)
}
