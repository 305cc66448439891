import { toolError } from '../core/tool-error.ts'
import { stoppedError } from './execute-tool-call.ts'
import { requireConsent } from './require-consent.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import { runRead, runWrite } from './run-execution.ts'

/** Takes one call to its outcome: refused, asked about, answered from the ledger, or executed. */
export function runCall(run: Run, call: RoundCall): Outcome | Promise<Outcome> {
  if (run.stopping.signal.aborted) return { status: 'cancelled', result: stoppedError() }
  if (call.denial) return { status: 'cancelled', result: call.denial }
  if (!call.args) {
    const refusal = call.refusal ?? toolError('execution_error', 'The call has no arguments.')
    return { status: 'rejected', result: refusal }
  }
  const { done, settled } = run.memory
  if (Object.hasOwn(done, call.key))
    return { status: 'succeeded', result: { ok: true, data: done[call.key] }, repeated: true }
  const refused = call.approved ? undefined : settled[call.key]
  if (refused) return { status: 'rejected', result: refused }
  return (
    requireConsent(run, call, call.args) ??
    (call.effect === 'read' ? runRead(run, call, call.args) : runWrite(run, call, call.args))
  )
}
