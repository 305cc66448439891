import { waitBeforeTry } from '../../core/backoff.ts'
import { saidError } from '../../core/tool-error.ts'
import type { Write } from '../../core/write.ts'
import { outcomeUnknown } from '../../failures/outcome-unknown.ts'
import type { Call, OwnSaid } from '../../transcript/entry.ts'
import { saidOf } from '../../wording/question-for-people.ts'
import { titleOf } from '../../wording/tool-title.ts'
import { whyValues } from '../../wording/why-values.ts'
import { closeContinued } from '../run/ask.ts'
import { describeDone } from '../run/done-words.ts'
import { append, type Run } from '../run/run.ts'

/** A write whose outcome no entry tells, and its call in the ledger. */
interface Unreported {
  call: Call
  runsAs: string
}

/**
 * No run ends while its turn has a write whose outcome was not reported: the ledger's current outcome becomes the result
 * of the call. Waits for one that still runs elsewhere, at most as long as a tool may take. Returns a sentence for each
 * write that was or was not done; the functions of `end-run.ts` ask the user about those that stay unknown.
 */
export async function awaitOutcomes(run: Run): Promise<OwnSaid[]> {
  const { clock, ledger, limits, state } = run
  const unreported = listUnreported(run)
  if (unreported.length === 0 || !ledger.outcomes || !state.run) return []
  const ids = [...new Set(unreported.map(({ runsAs }) => runsAs))]
  const giveUp = Math.min(clock.now() + limits.toolTimeoutMs, run.deadline)
  for (let polls = 1; ; polls++) {
    // Even if the ledger is unavailable for a moment, it knows.
    const outcomes = await ledger.outcomes(state.run.runId, ids).catch(() => undefined)
    const isOver = outcomes?.every(({ status }) => status !== 'running')
    if (isOver || clock.now() >= giveUp) {
      return (outcomes ?? []).flatMap((outcome) =>
        unreported
          .filter(({ runsAs }) => runsAs === outcome.toolCallId)
          .flatMap(({ call }) => report(run, call, outcome)),
      )
    }
    await clock.sleep(waitBeforeTry(polls, { baseMs: 50, longestMs: 1000 }), new AbortController().signal)
  }
}

/** Writes of this turn that have no result, or one that says they are still running. */
function listUnreported({ state }: Run): Unreported[] {
  return [...state.calls.values()].flatMap(({ call, index, asked, result }) => {
    const { effect, prepared, duplicateOf, toolCallId } = call
    if (effect !== 'write' || !prepared || index < state.turnStart || asked || duplicateOf) return []
    if (result === undefined) return [{ call, runsAs: toolCallId }]
    return result.runsAs === undefined ? [] : [{ call, runsAs: result.runsAs }]
  })
}

function report(run: Run, call: Call, { status, result }: Pick<Write, 'status' | 'result'>): OwnSaid[] {
  const about = { type: 'result', toolCallId: call.toolCallId, tries: 1, durationMs: 0 } as const
  const tool = run.specifications.get(call.toolName)
  const title = titleOf(tool ?? { name: call.toolName })
  closeContinued(run, call, { status: status === 'running' ? 'unknown' : status, tries: 1 })
  if (status === 'succeeded') {
    const data = result?.ok ? result.data : null
    const args = typeof call.input === 'object' ? call.input : {}
    const done = describeDone(run, tool, args, data)
    append(run, { ...about, status, result: { ok: true, data }, done })
    const values = { tools: [title], toolNames: [call.toolName] }
    return [{ code: 'done_meanwhile', values }]
  }
  if (status === 'failed' || status === 'cancelled') {
    const error = result?.ok === false ? result : saidError('cancelled', { code: 'call_not_done' })
    append(run, { ...about, status, result: error })
    const values = { tool: title, toolName: call.toolName, ...whyValues(saidOf(error)) }
    return [{ code: 'not_done', values }]
  }
  append(run, { ...about, status: 'unknown', result: result?.ok === false ? result : outcomeUnknown() })
  return []
}
