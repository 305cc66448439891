import type { Done } from '../../../words/fill-template.ts'
import { inEnglish } from '../../../words/languages/in-english.ts'
import type { Said } from '../../core/asked.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { ParkedQuestion } from '../../core/server-question.ts'
import { saidError, type ToolError, type ToolResult, toolError } from '../../core/tool-error.ts'
import { shortenOutput } from '../../tools/shorten-output.ts'
import { isOver } from '../../transcript/fold-loop.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { hasOutside } from '../../transcript/outside.ts'
import { toolValues } from '../../wording/question-values.ts'
import { asksSomebody } from '../consent/ask-people.ts'
import { findValues } from '../consent/find-values.ts'
import { askAfterLooks, relyingOn } from '../consent/look.ts'
import { addEarlierWrite, isFilledIn, type Outside, requireConsent } from '../consent/require-consent.ts'
import { closeContinued } from '../run/ask.ts'
import { describeDone } from '../run/done-words.ts'
import { describeInvocation } from '../run/invocation.ts'
import type { Ended, Outcome, RoundCall } from '../run/round-call.ts'
import { append, type Run } from '../run/run.ts'
import { findRefusal } from '../step/prepare-calls.ts'
import { stoppedError } from './execute-tool-call.ts'
import { inParallel } from './in-parallel.ts'
import { awaitFirstTry, runRead, runWrite } from './run-execution.ts'
import { shareApprovals } from './share-approvals.ts'

/** A model may ask for hundreds of calls at once; more concurrent ones would only slow each other down. */
const callsAtOnce = 8

/** Runs the calls of the round that have not ended: reads first, then writes, each group in parallel. */
export async function runRound(run: Run): Promise<undefined> {
  const { state } = run
  const open = state.round.filter((called) => !isOver(state, called)).map((called) => readyCall(run, called))
  const reads = open.filter(({ call }) => call.effect === 'read')
  const writes = open.filter(({ call }) => call.effect === 'write')
  // The entries before this round: the model had not seen the results of its reads when it asked for its writes. Where
  // another process takes the round up, they are there already.
  const seen = run.entries.slice(0, Math.min(run.entries.length, ...state.round.map(({ index }) => index)))
  const outside: Outside = (how) => hasOutside(seen, run.specifications, how)
  await findValues(run, reads)
  judgeCalls(run, reads, outside)
  await inParallel(reads, callsAtOnce, (call) => follow(run, call, finishCall))
  await askTogether(run, reads)
  if (writes.length === 0) return
  await findValues(run, writes)
  judgeCalls(run, writes, outside)
  const stands = run.stopping.signal.aborted ? writes : await callOffAfterRead(run, writes)
  const once = runOnce()
  // One by one if one of them could change what the approval of another, or a card, relies on.
  const relies = stands.some(({ state }) => state.decided?.question.seen || relyingOn(run, state).length > 0)
  await inParallel(stands, relies ? 1 : callsAtOnce, (call) => follow(run, call, once))
  await askTogether(run, writes)
}

/** Asks all at once, after the last call has ended: so they are stored, and shown, together. */
function askTogether(run: Run, calls: readonly RoundCall[]): Promise<void> {
  return askAfterLooks(
    run,
    calls.flatMap(({ question }) => question ?? []),
  )
}

/** Ends the writes that may depend on a read that has failed or waits; returns the others. */
async function callOffAfterRead(run: Run, writes: RoundCall[]): Promise<RoundCall[]> {
  const failed = run.state.round.filter(({ call, result }) => call.effect === 'read' && !result?.result.ok)
  const [first] = failed
  if (!first) return writes
  // Where somebody is asked anyway, they hear of every account that is missing.
  const asksAnyway = failed.some((called) => asksSomebody(run, called))
  const decide = (_: Run, call: RoundCall) =>
    (asksAnyway ? lacksAccount(run, call) : undefined) ?? cancelAfterFailedRead(run, first)
  // What somebody has decided on was shown to them as it is.
  const isDecided = ({ state }: RoundCall) => state.decided !== undefined
  for (const call of writes) if (!isDecided(call)) await follow(run, call, decide)
  return writes.filter(isDecided)
}

function readyCall(run: Run, state: CallState): RoundCall {
  const { call, key, decided } = state
  const specification = run.specifications.get(call.toolName)
  const refusal = decided ? (refused(decided) ?? findRefusal(run, call)) : findRefusal(run, call)
  return {
    state,
    call,
    key,
    specification,
    args: call.prepared && typeof call.input === 'object' ? call.input : undefined,
    refusal,
  }
}

/** A person declined it, or continued without it. */
function refused(decided: NonNullable<CallState['decided']>): ToolError | undefined {
  const { decision } = decided.decision
  if (decision === 'deny') return denial(decided)
  // A server that has asked is told.
  return decision === 'skip' && !decided.question.server
    ? toolError('cancelled', 'The user chose to go on without this.', {
        details: { asked: { code: 'skipped' } },
      })
    : undefined
}

function denial({ decision, question }: NonNullable<CallState['decided']>): ToolError {
  const because = decision.reason ? ` The reason: ${decision.reason}` : ''
  const again = question.outcomeUnknown ? ' again' : ''
  const unknown = question.outcomeUnknown ? ' Whether it was carried out the first time is not known.' : ''
  return toolError('approval_denied', `The user declined to do this${again}.${because}${unknown}`, {
    details: { asked: { code: 'denied' } },
  })
}

/** Appends how a call ended, or whom it waits for; `decide` takes it there. */
async function follow(
  run: Run,
  call: RoundCall,
  decide: (run: Run, call: RoundCall) => Outcome | Promise<Outcome>,
): Promise<void> {
  const startedAt = run.clock.now()
  let outcome: Outcome
  try {
    outcome = await decide(run, call)
  } catch {
    outcome = ownFault()
  }
  if (outcome.status === 'waiting') {
    if (!call.call.duplicateOf) call.question = outcome.question
    return
  }
  const durationMs = run.clock.now() - startedAt
  record(run, call, outcome, durationMs)
  const { status, tries } = outcome
  const { result, note } = shortenResult(outcome.result, call)
  closeContinued(run, call.call, outcome)
  const done = doneBy(run, call, outcome)
  append(run, {
    type: 'result',
    toolCallId: call.call.toolCallId,
    status,
    result,
    note,
    done,
    tries,
    durationMs,
    again: 'again' in outcome && outcome.again ? true : undefined,
    runsAs: 'runsAs' in outcome ? outcome.runsAs : undefined,
    isSecond: 'isSecond' in outcome && outcome.isSecond ? true : undefined,
    retryAt: 'retryAt' in outcome ? outcome.retryAt : undefined,
    seen: outcome.seen,
    parked: 'parked' in outcome ? unlessAgain(call, outcome.parked) : undefined,
  })
}

/** What a server asks; not what the user has just declined to answer: then the call is over. */
function unlessAgain(
  { state: { decided } }: RoundCall,
  parked: ParkedQuestion | undefined,
): ParkedQuestion | undefined {
  const declined = decided?.decision.decision === 'skip' ? decided.question.server : undefined
  const isAgain = declined && parked && canonicalJson(declined) === canonicalJson(parked.question)
  return isAgain ? undefined : parked
}

/** The result as the model reads it; the ledger has the full one. */
function shortenResult(
  result: ToolResult,
  { specification: tool, args = {} }: RoundCall,
): { result: ToolResult; note?: string } {
  if (!result.ok) return { result }
  const { data, note } = shortenOutput(result.data, tool?.maxOutputBytes, tool && { tool, args })
  return note === undefined ? { result } : { result: { ok: true, data }, note }
}

/** What the call did; something done before is not reported again. */
function doneBy(run: Run, { call, specification, args }: RoundCall, outcome: Ended): Done | undefined {
  const { result } = outcome
  const isNew = result.ok && call.duplicateOf === undefined && !('again' in outcome)
  return isNew ? describeDone(run, specification, args ?? {}, result.data) : undefined
}

/** Records in the ledger what needed no claim. */
function record(run: Run, call: RoundCall, outcome: Ended, durationMs: number): void {
  const isRepetition =
    call.call.effect === 'write' &&
    outcome.result.ok &&
    (call.call.duplicateOf !== undefined || 'again' in outcome)
  const status = isRepetition ? 'cancelled' : outcome.status
  if ((outcome.claimed && !isRepetition) || status === 'unknown') return
  try {
    run.ledger.record(describeInvocation(run, call), { status, result: outcome.result, durationMs })
  } catch {
    // A failed record does not undo what happened, and must not end the other calls.
  }
}

/** An error of ours in one call must not take its siblings with it. */
function ownFault(): Outcome {
  return { status: 'cancelled', result: saidError('execution_error', { code: 'call_fault' }), tries: 0 }
}

/** Identical writes of one round run once: the others say so, or share the outcome of the first. */
function runOnce() {
  const running = new Map<string, Outcome | Promise<Outcome>>()
  return async (run: Run, call: RoundCall): Promise<Outcome> => {
    const original = call.call.duplicateOf === undefined ? undefined : running.get(call.call.duplicateOf)
    if (original) {
      const outcome = await original
      return outcome.status === 'succeeded' ? notASecondTime() : outcome
    }
    const outcome = finishCall(run, call)
    running.set(call.call.toolCallId, outcome)
    return outcome
  }
}

function notASecondTime(): Outcome {
  const sentence =
    'Not carried out a second time: this answer holds the same call twice. If the user wants it twice, call it again and the user is asked.'
  return notNow(sentence, { code: 'call_twice' })
}

function cancelAfterFailedRead(run: Run, { call }: CallState): Outcome {
  const values = toolValues(run.specifications.get(call.toolName) ?? { name: call.toolName })
  const said: Said = { code: 'read_failed', values }
  return notNow(inEnglish(said), said)
}

/** The model may call it again: it is not asked anything. `said`: to people. */
function notNow(sentence: string, said: Said): Outcome {
  const result = toolError('cancelled', sentence, { resolver: 'model', details: { asked: said } })
  return { status: 'cancelled', result, tries: 0 }
}

/** The outcome of a write that could not be made, whatever its reads find, because its account is missing. */
function lacksAccount(run: Run, { call, args, judged }: RoundCall): Outcome | undefined {
  if (judged) return judged.status === 'failed' ? judged : undefined
  const missing = args && run.tools.get(call.toolName)?.requirement?.(args)
  return missing && { status: 'failed', result: missing, tries: 0 }
}

/** Decides about calls before any of them runs, so that one decision for several calls is asked once. */
function judgeCalls(run: Run, calls: readonly RoundCall[], outside: Outside): void {
  for (const call of calls) {
    try {
      call.judged = judgeCall(run, call, outside)
    } catch {
      call.judged = ownFault()
    }
  }
  shareApprovals(run, calls)
}

/** Refused, asked about, or answered from what is known; undefined if the call may run. */
function judgeCall(run: Run, call: RoundCall, outside: Outside): Outcome | undefined {
  const { refusal, args, key } = call
  const { done, settled, reportedDone } = run.state
  const over = call.call.approved || call.state.decided ? undefined : settled.get(key)
  if (over) return { status: 'rejected', result: over, tries: 0 }
  if (refusal) return { status: call.args ? 'cancelled' : 'rejected', result: refusal, tries: 0 }
  if (!args) {
    const error = toolError('execution_error', 'The call has no arguments.', {
      details: { asked: { code: 'malformed_arguments' } },
    })
    return { status: 'rejected', result: error, tries: 0 }
  }
  // The model was already told once that it is done. If it calls again, it means it, so the user is asked.
  if (done.has(key) && !call.call.repetition && !reportedDone.has(key) && !isFilledIn(call)) {
    return { status: 'succeeded', result: { ok: true, data: done.get(key) }, tries: 0, again: true }
  }
  return requireConsent(run, call, args, outside)
}

/** A write that a dead process left behind may have started: the end of the run asks the ledger about it. */
function stopped({ state: { recoveredIndex } }: Run, { call, state }: RoundCall): Outcome {
  const mayHaveBegun = call.effect === 'write' && state.index <= recoveredIndex
  const outcome = { status: 'cancelled', result: stoppedError(), tries: 0 } as const
  return mayHaveBegun ? { ...outcome, runsAs: call.toolCallId } : outcome
}

/** Whether a dead process had started this very write: then nobody is asked for approval, the ledger knows what it did. */
async function wasClaimed(run: Run, { call, state }: RoundCall): Promise<boolean> {
  const isLeftBehind = call.effect === 'write' && state.index <= run.state.recoveredIndex && !call.repetition
  if (!isLeftBehind || !run.state.run) return false
  // Without an answer the user is asked, and the end of the run asks the ledger again.
  const outcomes = await run.ledger.outcomes?.(run.state.run.runId, [call.toolCallId]).catch(() => [])
  return (outcomes ?? []).some(({ status }) => status !== 'failed' && status !== 'cancelled')
}

/** Takes one call to its outcome: as it was judged, or executed. */
async function finishCall(run: Run, call: RoundCall): Promise<Outcome> {
  if (run.stopping.signal.aborted) return stopped(run, call)
  const done = await awaitFirstTry(run, call)
  if (done) return done
  const { judged } = call
  const args = call.args ?? {}
  if (judged?.status === 'waiting' && judged.question) {
    if (await wasClaimed(run, call)) return runWrite(run, call, args)
    return { status: 'waiting', question: await addEarlierWrite(run, call, judged.question) }
  }
  if (judged) return judged
  return call.call.effect === 'read' ? runRead(run, call, args) : runWrite(run, call, args)
}
