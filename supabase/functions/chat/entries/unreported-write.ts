import { saidError, type ToolResult } from '../../../../shared/engine/core/tool-error.ts'
import type { Write } from '../../../../shared/engine/core/write.ts'
import { outcomeUnknown, stillRunning } from '../../../../shared/engine/failures/outcome-unknown.ts'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import type { Call, Entry, Result } from '../../../../shared/engine/transcript/entry.ts'

/** What the ledger says of a write whose end no entry tells (SQL `unreported_writes`). */
export type UnreportedWrite = Pick<Write, 'toolCallId' | 'status' | 'result' | 'durationMs'>

/** The ledger keeps results whole; the part that a model reads is in the entries. */
export function shorten(result: ToolResult): { result: ToolResult; note?: string } {
  if (!result.ok) return { result }
  const { data, note } = shortenOutput(result.data ?? null)
  return { result: { ok: true, data }, ...(note === undefined ? {} : { note }) }
}

/** Calls of complete steps without a result that nobody was asked about; for those that waited for the clock, it is time. */
export function callsWithoutEnd(entries: readonly Entry[]): Call[] {
  const calls = new Map<string, Call>()
  let step: Call[] | undefined
  for (const entry of entries) {
    if (entry.type === 'run-start') step = undefined
    else if (entry.type === 'step-start') step = []
    else if (entry.type === 'step-end') {
      for (const call of step ?? []) calls.set(call.toolCallId, call)
      step = undefined
    } else if (entry.type === 'call') {
      if (step) step.push(entry)
      else calls.set(entry.toolCallId, entry)
    } else if (entry.type === 'result' || (entry.type === 'question' && entry.kind !== 'wait')) {
      calls.delete(entry.toolCallId)
    }
  }
  return [...calls.values()]
}

export function endCall(call: Call, write: UnreportedWrite | undefined): Entry[] {
  const { status, result } = findOutcome(write)
  const tries = write && status !== 'cancelled' ? 1 : 0
  const about = { ...shorten(result), tries, durationMs: write?.durationMs ?? 0 }
  return withClosed(call, { type: 'result', toolCallId: call.toolCallId, status, ...about })
}

/** The temporary end of a write that another run is still doing: that run reports its result, and nobody is asked. */
export function leaveRunning(call: Call): Entry[] {
  const { toolCallId } = call
  const about = { result: stillRunning(), tries: 1, durationMs: 0 }
  return withClosed(call, { type: 'result', toolCallId, status: 'cancelled', ...about })
}

/** The claim of a write has closed the item that it continued. */
function withClosed({ toolCallId, continues }: Call, end: Result): Entry[] {
  return end.tries > 0 && continues !== undefined
    ? [end, { type: 'closed', itemId: continues, toolCallId, as: 'replaced' }]
    : [end]
}

function findOutcome(write: UnreportedWrite | undefined): Pick<Result, 'status' | 'result'> {
  if (!write) return neverRan
  const { status, result } = write
  if (status === 'succeeded') return { status, result: result ?? { ok: true, data: null } }
  if (status === 'running' || status === 'unknown') {
    return { status: 'unknown', result: result ?? outcomeUnknown() }
  }
  return result ? { status, result } : neverRan
}

const neverRan = {
  status: 'cancelled',
  result: saidError('cancelled', { code: 'call_stopped' }),
} as const
