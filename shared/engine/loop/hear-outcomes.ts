import { waitBeforeTry } from '../core/backoff.ts'
import { outcomeUnknown } from '../failures/outcome-unknown.ts'
import type { CallState } from '../transcript/loop-state.ts'
import { titleOf } from '../wording/tool-title.ts'
import { closeContinued } from './ask.ts'
import type { LedgerOutcome } from './ledger.ts'
import { append, type Run } from './run.ts'

/**
 * No run ends while its turn has a write whose outcome was not told: what the ledger knows by now becomes the result of
 * the call. Waits for one that still runs elsewhere, within the time of a tool. Answers a sentence for each write that
 * turned out to be done.
 */
export async function hearOutcomes(run: Run): Promise<string[]> {
  const { clock, ledger, limits, state } = run
  const untold = new Map(listUntold(run).map((called) => [called.call.toolCallId, called]))
  if (untold.size === 0 || !ledger.outcomes || !state.run) return []
  const giveUp = Math.min(clock.now() + limits.toolTimeoutMs, run.deadline)
  for (let polls = 1; ; polls++) {
    const outcomes = await ledger.outcomes(state.run.runId, [...untold.keys()]).catch(() => [])
    const isRunning = outcomes.some(({ status }) => status === 'running')
    if (!isRunning || clock.now() >= giveUp) return outcomes.flatMap((outcome) => tell(run, untold, outcome))
    await clock.sleep(waitBeforeTry(polls, { baseMs: 50, longestMs: 1000 }), new AbortController().signal)
  }
}

/** Writes of this turn that have no result, or one that says they still run. */
function listUntold({ state }: Run): CallState[] {
  return [...state.calls.values()].filter(({ call, at, asked, result }) => {
    if (call.effect !== 'write' || !call.prepared || at < state.turnStart || asked || call.duplicateOf)
      return false
    return result === undefined || (result.status === 'cancelled' && result.unsettled === true)
  })
}

function tell(run: Run, untold: ReadonlyMap<string, CallState>, outcome: LedgerOutcome): string[] {
  const { toolCallId, status, result } = outcome
  const called = untold.get(toolCallId)
  if (!called || status === 'cancelled') return []
  const about = { type: 'result', toolCallId, tries: 1, durationMs: 0 } as const
  closeContinued(run, called.call, { status: status === 'running' ? 'unknown' : status, tries: 1 })
  if (status === 'succeeded') {
    append(run, { ...about, status, result: result?.ok ? result : { ok: true, data: null } })
    return [
      `Done meanwhile: ${titleOf(run.specifications.get(called.call.toolName) ?? { name: called.call.toolName })}.`,
    ]
  }
  if (status === 'failed' && result && !result.ok) append(run, { ...about, status, result })
  else append(run, { ...about, status: 'unknown', result: result?.ok === false ? result : outcomeUnknown() })
  return []
}
