import { z } from 'zod'
import { lost } from '../../../../shared/engine/core/lost.ts'
import { overtaken } from '../../../../shared/engine/core/overtaken.ts'
import { runTimeouts } from '../../../../shared/engine/core/timeouts.ts'
import { accountRefusal, accountRefused } from '../../../../shared/server/authentication/account.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { StopRun } from './active-runs.ts'
import { type BudgetReservation, reservationSchema } from './budget-reservation.ts'
import type { EntryBuffer } from './entry-buffer.ts'

const beatSchema = z.object({
  stopRequested: z.boolean(),
  isOvertaken: z.boolean(),
  isLost: z.boolean(),
  isOver: z.boolean(),
  reserved: reservationSchema.nullable(),
  refusal: accountRefusal.nullish(),
})

/** Reports that a run works, now and regularly. */
export interface Heartbeat {
  /** Why the user's account may no longer act: the run has been stopped. */
  readonly refusal: ApiError | undefined
  beat(): Promise<void>
  end(): void
}

/**
 * Keeps a run's lease while it works, stores what it has written, renews what it may use, and notices when it was stopped
 * elsewhere or lost, or its user may no longer act. If a regular beat fails, the next one makes up for it.
 */
export function keepHeartbeat(
  runId: string,
  rpc: CallRpc,
  buffer: EntryBuffer,
  budget: BudgetReservation,
  stop: StopRun,
): Heartbeat {
  let refusal: ApiError | undefined
  const beat = async () => {
    const args = { p_run_id: runId, p_lease_seconds: runTimeouts.leaseMs / 1000 }
    const send = async (p_entries: object[]) => {
      const renewed = budget.renew()
      const reply = beatSchema.parse(await rpc('heartbeat_run', { ...args, p_entries }))
      renewed(reply.reserved)
      return reply
    }
    const reply = await buffer.flush(send, ({ isOver }) => !isOver)
    const { stopRequested, isOvertaken, isLost, isOver } = reply
    if (reply.refusal) refusal ??= accountRefused(reply.refusal)
    if (stopRequested || isOver || refusal) stop(isLost ? lost : isOvertaken ? overtaken : undefined)
  }
  const timer = setInterval(() => {
    beat().catch(() => {})
  }, runTimeouts.heartbeatMs)
  return {
    get refusal() {
      return refusal
    },
    beat,
    end: () => clearInterval(timer),
  }
}
