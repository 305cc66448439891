import type { ToolUse } from './agent-response.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import { invocationOf } from './run-execution.ts'

interface BegunUse {
  use: ToolUse
  startedAt: number
}

/** Notes that a call began, so that `toolsUsed` is in order of the starts. */
export function beginUse(run: Run, call: RoundCall): BegunUse {
  const use: ToolUse = {
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    attempt: call.attempt,
    input: call.input,
    ok: false,
    durationMs: 0,
  }
  if (call.repairs.length > 0) use.repairs = call.repairs
  run.toolsUsed.push(use)
  return { use, startedAt: run.clock.now() }
}

/** Notes how it ended, here and, where nothing was claimed, in the ledger. A call that waits is no use yet. */
export function endUse(run: Run, call: RoundCall, { use, startedAt }: BegunUse, outcome: Outcome): void {
  if (outcome.status === 'parked') {
    run.toolsUsed.splice(run.toolsUsed.indexOf(use), 1)
    return
  }
  use.durationMs = run.clock.now() - startedAt
  use.ok = outcome.result.ok
  if (outcome.result.ok) use.output = outcome.result.data
  else use.error = outcome.result
  run.emit({ type: 'tool-result', toolUse: use })
  const isRepetition = call.effect === 'write' && use.ok && (call.duplicateOf || 'repeated' in outcome)
  const status = isRepetition ? 'cancelled' : outcome.status
  if ((outcome.claimed && !isRepetition) || status === 'unknown') return
  try {
    run.ledger.record(invocationOf(run, call), { status, result: outcome.result, durationMs: use.durationMs })
  } catch {
    // What happened stays true when the note fails; the calls beside this one must not end with it.
  }
}
