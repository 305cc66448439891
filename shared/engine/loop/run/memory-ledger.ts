import { canonicalJson } from '../../core/canonical-json.ts'
import type { ToolResult } from '../../core/tool-error.ts'
import type { Claim, EarlierWrite, Invocation, InvocationStatus, Ledger, LedgerOutcome } from './ledger.ts'
import { isEqual, meansTheSame, samenessMs, saysTheSame, unnamedMs, unnamedSourcedMs } from './sameness.ts'

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
  /** Milliseconds since 1970. */
  claimedAt: number
}

/**
 * A ledger that lives as long as the process. One instance may serve many runs; claims are unique within a run,
 * including its resumes. Use a stored one if a crash must not double an effect. `isNamed: false`: the client does
 * not say which runs belong to one chat.
 *
 * @example
 * const ledger = createMemoryLedger()
 * const write = { id: '1', runId: 'r', toolCallId: 'c', toolName: 'send', effect: 'write', attempt: 1, intent: 1, arguments: { to: 'ada@example.com' }, repairs: [], repetition: 0 }
 * const first = await ledger.claim(write)
 * first.claimed // => true
 * const second = await ledger.claim({ ...write, id: '2' })
 * second.status // => 'running'
 */
export function createMemoryLedger(
  now: () => number = Date.now,
  { isNamed = true }: { isNamed?: boolean } = {},
): MemoryLedger {
  const rows: LedgerRow[] = []
  const claims = new Map<string, ClaimedRow[]>()

  return {
    rows,
    async claim(invocation): Promise<Claim> {
      const repetitions = claims.get(writeKey(invocation)) ?? []
      const own = repetitions[invocation.repetition]
      // A call that is made again, because it may have been carried out, and meanwhile turned out to have been.
      const carriedOut = Object.values(repetitions).find(
        ({ status, invocation: { toolCallId } }) =>
          status === 'succeeded' && toolCallId === invocation.toolCallId,
      )
      const earlier = own && own.status !== 'failed' && own.status !== 'cancelled' ? own : carriedOut
      if (earlier) {
        return {
          claimed: false,
          status: earlier.status as 'running' | 'succeeded' | 'unknown',
          latest: repetitions.length - 1,
          idempotencyKey: earlier.idempotencyKey,
          claimedBy: earlier.invocation.toolCallId,
          sameCall: earlier.invocation.toolCallId === invocation.toolCallId,
          ...(earlier.result ? { result: earlier.result } : {}),
        }
      }
      const same = findSame(invocation)
      if (same) return { claimed: false, status: 'same', earlier: same }
      const idempotencyKey = own?.idempotencyKey ?? crypto.randomUUID()
      const row: ClaimedRow = { invocation, status: 'running', idempotencyKey, claimedAt: now() }
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
    findSame: async (invocation) => findSame(invocation),
    async outcomes(runId, toolCallIds) {
      return toolCallIds.flatMap((toolCallId) => {
        const row = [...claims.values()]
          .flat()
          .filter(({ invocation }) => invocation.runId === runId && invocation.toolCallId === toolCallId)
          .sort((a, b) => a.claimedAt - b.claimedAt || a.invocation.repetition - b.invocation.repetition)
          .at(-1)
        if (!row) return []
        const { status, idempotencyKey } = row
        const told = { toolCallId, status: status as LedgerOutcome['status'], idempotencyKey }
        return [row.result ? { ...told, result: row.result } : told]
      })
    },
    record(invocation, { status, result }) {
      rows.push({ invocation, status, result })
    },
  }

  function findSame(invocation: Invocation): EarlierWrite | undefined {
    const row = rows.findLast(
      (row): row is ClaimedRow =>
        'claimedAt' in row &&
        row.status in toldAs &&
        isSameWrite(row as ClaimedRow, invocation, now(), isNamed),
    )
    return (
      row && {
        toolCallId: row.invocation.toolCallId,
        arguments: argumentsOf(row.invocation),
        status: row.status as EarlierWrite['status'],
        at: new Date(row.claimedAt).toISOString(),
        ...(writeKey(row.invocation) === writeKey(invocation)
          ? { nextRepetition: row.invocation.repetition + 1 }
          : {}),
        ...(row.result ? { result: row.result } : {}),
      }
    )
  }
}

/** Writes that happened or may have. */
const toldAs = { running: true, succeeded: true, unknown: true }

/** The database's rule `askback.same_write`; everything in one process is one conversation. */
function isSameWrite(
  { invocation: earlier, status, claimedAt }: ClaimedRow,
  write: Invocation,
  now: number,
  isNamed: boolean,
): boolean {
  const { toolName, toolCallId, repetition, meaning, coveredUntil, itemAskedAt } = write
  if (!meaning || earlier.toolName !== toolName || earlier.toolCallId === toolCallId) return false
  if (write.siblings?.includes(earlier.toolCallId)) return false
  if (coveredUntil !== undefined && claimedAt <= Date.parse(coveredUntil)) return false
  const a = { ...meaning, arguments: argumentsOf(write) }
  const b = { ...(earlier.meaning ?? meaning), arguments: argumentsOf(earlier) }
  const isOwn = earlier.runId === write.runId
  // The claim's key tells equal writes of one turn apart, and which of them was approved.
  if (isOwn && isEqual(a, b)) return earlier.repetition >= repetition
  const age = now - claimedAt
  const isRecent = age < samenessMs
  // Of another request, which may be this one in other words.
  if (!isNamed && !isOwn && age >= unnamedMs) return false
  if (status !== 'succeeded') return (status === 'running' || isRecent) && meansTheSame(a, b)
  if (itemAskedAt !== undefined && claimedAt > Date.parse(itemAskedAt)) return meansTheSame(a, b)
  // A model that has seen the outcome of the first one means another one, unless it goes to the same people.
  if (isOwn) return !meaning.repeats && meaning.sourced !== '' && meansTheSame(a, b)
  if (meaning.repeats) return false
  const isEnough = !isNamed && age < unnamedSourcedMs && meaning.sourced !== '' && meansTheSame(a, b)
  return isEnough || (isRecent && saysTheSame(a, b))
}

function argumentsOf({ arguments: args }: Invocation): Record<string, unknown> {
  return typeof args === 'string' ? {} : args
}

function writeKey({ runId, toolName, arguments: args }: Invocation): string {
  return `${runId} ${toolName} ${canonicalJson(args)}`
}

const maxWaitingRuns = 1000
const waiting = new Map<string, Ledger>()

/** Keeps the ledger of a waiting run that was given none, so that approving twice in this process executes once. */
export function keepLedger(runId: string, ledger: Ledger): void {
  waiting.delete(runId)
  waiting.set(runId, ledger)
  const oldest = waiting.keys().next().value
  if (waiting.size > maxWaitingRuns && oldest !== undefined) waiting.delete(oldest)
}

export function keptLedger(runId: string): Ledger | undefined {
  return waiting.get(runId)
}
