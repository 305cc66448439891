import { canonicalJson } from '../core/canonical-json.ts'
import type { ToolResult } from '../core/tool-error.ts'
import type { Claim, Invocation, InvocationStatus, Ledger } from './ledger.ts'

/** A row of the in-memory ledger. */
export interface LedgerRow {
  invocation: Invocation
  status: InvocationStatus
  result?: ToolResult
}

export interface MemoryLedger extends Ledger {
  /** Every invocation so far, in order. */
  readonly rows: readonly LedgerRow[]
}

interface ClaimedRow extends LedgerRow {
  idempotencyKey: string
}

/**
 * A ledger that lives as long as the process. One instance may serve many runs; claims are unique within a run,
 * also across its resumes. Use a stored one where a crash must not double an effect.
 *
 * @example
 * const ledger = createMemoryLedger()
 * const write = { id: '1', runId: 'r', toolCallId: 'c', toolName: 'send', effect: 'write', attempt: 1, intent: 1, arguments: { to: 'ada@example.com' }, repairs: [], repetition: 0 }
 * const first = await ledger.claim(write)
 * first.claimed // => true
 * const second = await ledger.claim({ ...write, id: '2' })
 * second.status // => 'running'
 */
export function createMemoryLedger(): MemoryLedger {
  const rows: LedgerRow[] = []
  const claims = new Map<string, ClaimedRow[]>()

  return {
    rows,
    async claim(invocation): Promise<Claim> {
      const repetitions = claims.get(writeKey(invocation)) ?? []
      const earlier = repetitions[invocation.repetition]
      if (earlier && earlier.status !== 'failed' && earlier.status !== 'cancelled') {
        return {
          claimed: false,
          status: earlier.status as 'running' | 'succeeded' | 'unknown',
          latest: repetitions.length - 1,
          idempotencyKey: earlier.idempotencyKey,
          sameCall: earlier.invocation.toolCallId === invocation.toolCallId,
          ...(earlier.result ? { result: earlier.result } : {}),
        }
      }
      const idempotencyKey = earlier?.idempotencyKey ?? crypto.randomUUID()
      const row: ClaimedRow = { invocation, status: 'running', idempotencyKey }
      rows.push(row)
      repetitions[invocation.repetition] = row
      claims.set(writeKey(invocation), repetitions)
      return { claimed: true, idempotencyKey }
    },
    async settle(invocation, { status, result }) {
      const row = claims.get(writeKey(invocation))?.[invocation.repetition]
      if (!row || (row.status !== 'running' && row.status !== 'unknown')) return
      row.status = status
      row.result = result
    },
    record(invocation, { status, result }) {
      rows.push({ invocation, status, result })
    },
  }
}

function writeKey({ runId, toolName, arguments: args }: Invocation): string {
  return `${runId} ${toolName} ${canonicalJson(args)}`
}

const maxParkedRuns = 1000
const parked = new Map<string, Ledger>()

/** Keeps the ledger of a parked run that brought none, so that approving twice in this process executes once. */
export function keepLedger(runId: string, ledger: Ledger): void {
  parked.delete(runId)
  parked.set(runId, ledger)
  const oldest = parked.keys().next().value
  if (parked.size > maxParkedRuns && oldest !== undefined) parked.delete(oldest)
}

export function keptLedger(runId: string): Ledger | undefined {
  return parked.get(runId)
}
