import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import type { ToolResult } from '../../../shared/engine/core/tool-error.ts'
import type { Claim, Invocation, InvocationStatus, Ledger } from '../../../shared/engine/loop/ledger.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'

/** What needed no claim: written with the end of the run. */
export interface RecordedInvocation extends Invocation {
  status: InvocationStatus
  result: ToolResult
  durationMs: number
  /** When the call began, ISO 8601. */
  createdAt: string
}

/** How a write ended whose answer was lost. `not_run`: and it never will, its claim is withdrawn. */
export type LostOutcome = { settled: ToolResult } | 'not_run' | 'unknown'

/** The ledger of one run in the database. */
export interface RunLedger extends Ledger {
  readonly recorded: readonly RecordedInvocation[]
  /** Asks the ledger about a write that the integration function did not answer for. */
  findOutcome(idempotencyKey: string): Promise<LostOutcome>
}

/** Keeps the invocations of a run in `askback.tool_executions`: claims and settlements at once, the rest at its end. */
export function createRunLedger(run: { runId: string; userId: string }, rpc: CallRpc): RunLedger {
  const recorded: RecordedInvocation[] = []
  /** Row that a settlement belongs to: our own, or that of the earlier identical write. */
  const rows = new Map<string, string>()
  const invocationsByKey = new Map<string, string>()

  return {
    recorded,
    async claim(invocation): Promise<Claim> {
      const reply = (await rpc('claim_invocation', {
        p_run_id: run.runId,
        p_invocation: {
          ...stored(invocation),
          argumentHash: await argumentHash(invocation.arguments),
          leaseSeconds: timeouts.claimLeaseMs / 1000,
        },
      })) as ClaimReply
      if (!reply.claimed && reply.status === 'stopped') return { claimed: false, status: 'stopped' }
      rows.set(invocation.id, reply.invocationId)
      invocationsByKey.set(reply.idempotencyKey, reply.invocationId)
      if (reply.claimed) return { claimed: true, idempotencyKey: reply.idempotencyKey }
      return {
        claimed: false,
        status: reply.status,
        idempotencyKey: reply.idempotencyKey,
        ...(reply.result ? { result: reply.result } : {}),
        latest: reply.latestRepetition,
      }
    },

    async settle(invocation, { status, result, durationMs }) {
      // The effect has happened or not, whatever becomes of this note: a row that stays `running` becomes
      // `unknown` when its lease ends, and the integration function has settled it as well.
      await rpc('settle_invocation', {
        p_user_id: run.userId,
        p_invocation_id: rows.get(invocation.id) ?? invocation.id,
        p_status: status,
        p_result: result,
        p_duration_ms: Math.round(durationMs),
      }).catch((error) => console.error(`settling ${invocation.toolName} failed: ${error.message}`))
    },

    record(invocation, { status, result, durationMs }) {
      recorded.push({
        ...stored(invocation),
        status,
        result,
        durationMs: Math.round(durationMs),
        createdAt: new Date(Date.now() - durationMs).toISOString(),
      })
    },

    async findOutcome(idempotencyKey) {
      const invocationId = invocationsByKey.get(idempotencyKey)
      if (invocationId === undefined) return 'unknown'
      const reply = (await rpc('verify_invocation', {
        p_user_id: run.userId,
        p_invocation_id: invocationId,
      })) as OutcomeReply | null
      if (reply?.result && (reply.status === 'succeeded' || reply.status === 'failed')) {
        return { settled: reply.result }
      }
      return reply?.status === 'failed' ? 'not_run' : 'unknown'
    },
  }
}

type ClaimReply =
  | { claimed: true; invocationId: string; idempotencyKey: string }
  | {
      claimed: false
      status: 'running' | 'succeeded' | 'unknown'
      invocationId: string
      idempotencyKey: string
      result: ToolResult | null
      latestRepetition: number
    }
  | { claimed: false; status: 'stopped' }

/** `failed` without a result: the effect had not begun, and now it never will. */
interface OutcomeReply {
  status: InvocationStatus
  result: ToolResult | null
}

/** Without the engine's own run id: the row belongs to the run of the database. */
function stored({ runId: _, ...invocation }: Invocation): Invocation {
  return invocation as Invocation
}
