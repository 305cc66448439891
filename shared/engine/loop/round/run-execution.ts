import { askedInEnglish, sentenceOf } from '../../core/asked.ts'
import { waitBeforeTry } from '../../core/backoff.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { saidError, toolError } from '../../core/tool-error.ts'
import type { Write } from '../../core/write.ts'
import { outcomeMissing, outcomeUnknown, stillRunning } from '../../failures/outcome-unknown.ts'
import { readServerQuestion } from '../../failures/server-question.ts'
import { freePlaces } from '../../provenance/free-places.ts'
import { namesPlaces } from '../../provenance/sourced-values.ts'
import { replyFor } from '../../transcript/server-form.ts'
import { askAboutChanged } from '../consent/decisions.ts'
import { evidenceOf } from '../consent/evidence-of.ts'
import { lookBeside, seenAfter, seenFor } from '../consent/look.ts'
import { withNewWords } from '../consent/new-since.ts'
import { questionAbout } from '../consent/question-about-call.ts'
import {
  addEarlierWrite,
  isFilledIn,
  questionAboutRepetition,
  questionWithoutPermission,
} from '../consent/require-consent.ts'
import { describeInvocation } from '../run/invocation.ts'
import type { Claim, Invocation } from '../run/ledger.ts'
import type { Outcome, RoundCall } from '../run/round-call.ts'
import { append, type Run } from '../run/run.ts'
import type { Throttle } from '../run/throttle.ts'
import { checkConnection } from './check-connection.ts'
import {
  carriedOut,
  type Executed,
  type Execution,
  type ExecutionSettings,
  executeToolCall,
  stoppedError,
  verifyWrite,
} from './execute-tool-call.ts'

type Arguments = Record<string, unknown>

export async function runRead(run: Run, call: RoundCall, args: Arguments): Promise<Outcome> {
  const execution = makeExecution(run, call, args, crypto.randomUUID())
  const executed = await executeToolCall(execution, makeSettings(run, call))
  return toOutcome(await checkConnection(run, call, executed))
}

/** Claims, executes, settles: nothing with an effect runs outside the ledger. */
export async function runWrite(run: Run, call: RoundCall, args: Arguments): Promise<Outcome> {
  const invocation = describeInvocation(run, call)
  let claim: Claim
  try {
    claim = await claimUnlessSame(run, call, invocation)
  } catch {
    const cancelled = {
      status: 'cancelled',
      result: saidError('execution_error', { code: 'call_not_recorded' }),
      tries: 0,
    } as const
    // A process that died may have claimed this very call: the end of the run asks the ledger.
    return call.state.index <= run.state.recoveredIndex
      ? { ...cancelled, runsAs: call.call.toolCallId }
      : cancelled
  }
  if (!claim.claimed) return answerFromLedger(run, call, args, invocation, claim)
  if (run.stopping.signal.aborted) {
    const stopped = { status: 'cancelled', result: stoppedError() } as const
    await settle(run, invocation, stopped, 0)
    return { ...stopped, tries: 0, claimed: true }
  }
  const beside = await lookBeside(run, call.state)
  const started = run.clock.now()
  const seen = seenFor(call.state)
  const execution = makeExecution(run, call, args, claim.idempotencyKey)
  const tried = await executeToolCall(seen ? { ...execution, seen } : execution, makeSettings(run, call))
  const executed = await checkConnection(run, call, tried)
  await settle(run, invocation, executed, run.clock.now() - started)
  const { decided } = call.state
  const changed = !executed.result.ok && executed.status === 'failed' && executed.result.details.changed
  if (changed && decided)
    return { status: 'waiting', question: askAboutChanged(run, decided.question, changed) }
  const ended = { ...toOutcome(executed), claimed: true } as const
  const outcome = ended.status === 'unknown' && claim.isSecond ? { ...ended, isSecond: true } : ended
  const mayHaveRun = executed.status === 'succeeded' || executed.status === 'unknown'
  return mayHaveRun && beside.length > 0 ? { ...outcome, seen: await seenAfter(run, beside) } : outcome
}

/**
 * A failed record does not undo what happened: the row's lease, or the integration, settles it later. Returns
 * whether it was recorded.
 */
async function settle(
  run: Run,
  invocation: Invocation,
  { status, result }: Pick<Executed, 'status' | 'result'>,
  durationMs: number,
): Promise<boolean> {
  try {
    await run.ledger.settle(invocation, { status, result, durationMs })
    return true
  } catch {
    return false
  }
}

/** Claims; again, if the write only goes to the same people as an earlier one, and what it says is new. */
async function claimUnlessSame(run: Run, call: RoundCall, invocation: Invocation): Promise<Claim> {
  const claim = await claimWhenFree(run, invocation)
  const again =
    !claim.claimed && claim.status === 'same' && withNewWords(run, call, invocation, claim.earlier)
  return again ? claimUnlessSame(run, call, again) : claim
}

/** Claims; while the same write runs elsewhere (a second approval, a second tab), waits for its end. */
async function claimWhenFree(run: Run, invocation: Invocation): Promise<Claim> {
  const { clock, limits, ledger, stopping } = run
  const giveUp = clock.now() + limits.toolTimeoutMs
  for (let polls = 1; ; polls++) {
    const claim = await ledger.claim(invocation)
    if (claim.claimed || claim.status !== 'running') return claim
    if (clock.now() >= giveUp || stopping.signal.aborted) return claim
    await clock.sleep(waitBeforeTry(polls, { baseMs: 50, longestMs: 1000 }), stopping.signal)
  }
}

/**
 * The outcome of a call that a person has decided on because nobody knew whether it was carried out, if by now the ledger
 * or the provider knows that it was. A provider also calls off what it has not carried out.
 */
export async function awaitFirstTry(run: Run, call: RoundCall): Promise<Outcome | undefined> {
  const { question } = call.state.decided ?? {}
  const { ledger, state } = run
  if (!question?.outcomeUnknown || question.toolName !== call.call.toolName || !state.run) return undefined
  const outcomes = await ledger.outcomes?.(state.run.runId, [call.call.toolCallId]).catch(() => [])
  const first = outcomes?.[0]
  if (first?.status !== 'succeeded' && first?.status !== 'unknown') return undefined
  const execution = makeExecution(run, call, question.arguments, first.idempotencyKey)
  const isDone =
    first.status === 'succeeded' || (await verifyWrite(execution, makeSettings(run, call))) === 'sent'
  // Another one than that was approved.
  const isOther = call.call.approved && canonicalJson(call.args) !== canonicalJson(question.arguments)
  if (!isDone || isOther) return undefined
  const result = first.result?.ok ? first.result : carriedOut
  return { status: 'succeeded', result, tries: 1, claimed: true }
}

/** Decides by the ledger's record of the same write. */
async function answerFromLedger(
  run: Run,
  call: RoundCall,
  args: Arguments,
  invocation: Invocation,
  claim: Exclude<Claim, { claimed: true }>,
): Promise<Outcome> {
  if (claim.status === 'stopped') {
    run.stopping.abort(claim.reason)
    return { status: 'cancelled', result: stoppedError(), tries: 0 }
  }
  if (claim.status === 'not_permitted') {
    return { status: 'waiting', question: questionWithoutPermission(run, call, args, claim.spent) }
  }
  if (claim.status === 'asked') {
    const { error, parked } = readServerQuestion(claim.error)
    return { status: 'failed', result: error, tries: 1, claimed: true, parked }
  }
  if (claim.status === 'limited') return waitForLimit(call, claim.throttle)
  if (claim.status === 'same')
    return {
      status: 'waiting',
      question: questionAboutRepetition(run, call, claim.earlier, {
        isPermitted: claim.isPermitted === true,
      }),
    }
  if (claim.status === 'running') {
    return { status: 'cancelled', result: stillRunning(), tries: 0, runsAs: claim.write.toolCallId }
  }
  const { write, latest } = claim
  if (claim.status === 'unknown') {
    return verifyEarlier(run, call, args, { ...invocation, repetition: latest }, write)
  }
  const data = write.result?.ok ? write.result.data : null
  // The process that claimed it has died: its outcome is this call's own result.
  if (write.toolCallId === call.call.toolCallId)
    return { status: 'succeeded', result: { ok: true, data }, tries: 1, claimed: true }
  if (call.call.approved && !isFilledIn(call))
    return { status: 'succeeded', result: { ok: true, data }, tries: 0, again: true }
  const question = questionAboutRepetition(run, call, {
    write: { arguments: args, status: 'succeeded' },
    nextRepetition: latest + 1,
  })
  return { status: 'waiting', question: await addEarlierWrite(run, call, question) }
}

/** The call waits until it may be made; the model of a client that cannot wait is told. */
function waitForLimit(call: RoundCall, { said, until, heldBy, canWait }: Throttle): Outcome {
  const asked = askedInEnglish(said)
  if (!canWait) {
    return {
      status: 'failed',
      result: toolError('rate_limit_exceeded', sentenceOf(asked), { details: { asked } }),
      tries: 0,
    }
  }
  const resumeAt = new Date(until).toISOString()
  const about = { call: call.call, decided: call.state.decided }
  return { status: 'waiting', question: questionAbout('wait', about, asked, { resumeAt, heldBy }) }
}

/** Asks the provider about an earlier write with unknown outcome; if it does not know, the user decides. */
async function verifyEarlier(
  run: Run,
  call: RoundCall,
  args: Arguments,
  invocation: Invocation,
  write: Write,
): Promise<Outcome> {
  const second = write.isSecond ? { isSecond: true } : {}
  const known = write.result?.ok === false ? write.result : outcomeUnknown()
  const verification = await verifyWrite(
    makeExecution(run, call, args, write.idempotencyKey),
    makeSettings(run, call),
  )
  const error = verification === 'not_found' ? outcomeMissing(known) : known
  if (verification === 'unknown' || verification === 'not_found')
    return { status: 'unknown', result: error, tries: 0, ...second }
  if (verification === 'sent') {
    await settle(run, invocation, { status: 'succeeded', result: carriedOut }, 0)
    return { status: 'succeeded', result: carriedOut, tries: 0, claimed: true }
  }
  const recorded = await settle(run, invocation, { status: 'failed', result: error }, 0)
  return recorded ? runWrite(run, call, args) : { status: 'unknown', result: error, tries: 0, ...second }
}

function makeExecution(
  run: Run,
  { call, state }: RoundCall,
  args: Arguments,
  idempotencyKey: string,
): Execution {
  const tool = run.tools.get(call.toolName)
  if (!tool) throw new Error(`Tool "${call.toolName}" is not bound.`)
  const { toolCallId, attempt } = call
  const reply = replyFor(state)
  const execution = { tool, args, toolCallId, idempotencyKey, attempt, ...(reply ? { reply } : {}) }
  if (!namesPlaces(tool.specification.parameters)) return execution
  const evidence = evidenceOf(run)
  return { ...execution, freePlaces: freePlaces(evidence) }
}

function makeSettings(run: Run, { call }: RoundCall): ExecutionSettings {
  return {
    clock: run.clock,
    limits: run.limits,
    signal: run.stopping.signal,
    onWait: (waitMs, error) =>
      append(run, { type: 'wait', toolCallId: call.toolCallId, waitMs, reason: error.error }),
    onModelUse: (use) => append(run, { type: 'tool-model-call', toolCallId: call.toolCallId, ...use }),
  }
}

function toOutcome({
  status,
  result,
  retryAt,
  tries,
  parked,
}: Executed): Exclude<Outcome, { status: 'waiting' }> {
  if (result.ok) return { status: 'succeeded', result, tries }
  const failure = status === 'succeeded' ? 'failed' : status
  return { status: failure, result, tries, retryAt, ...(parked ? { parked } : {}) }
}
