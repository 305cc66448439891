import { type ToolResult, toolError } from '../core/tool-error.ts'
import { outcomeUnknown } from '../failures/outcome-unknown.ts'
import {
  carriedOut,
  type Executed,
  type Execution,
  type ExecutionSettings,
  executeToolCall,
  stoppedError,
  verifyWrite,
} from './execute-tool-call.ts'
import type { Claim, Invocation } from './ledger.ts'
import { parkRepetition } from './park-call.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { Run } from './run.ts'

type Arguments = Record<string, unknown>

export async function runRead(run: Run, call: RoundCall, args: Arguments): Promise<Outcome> {
  const execution = executionOf(run, call, args, crypto.randomUUID())
  return toOutcome(await executeToolCall(execution, settingsOf(run, call)))
}

/** Claims, executes, settles: nothing with an effect runs outside the ledger. */
export async function runWrite(run: Run, call: RoundCall, args: Arguments): Promise<Outcome> {
  const invocation = invocationOf(run, call)
  let claim: Claim
  try {
    claim = await claimWhenFree(run, invocation)
  } catch {
    const sentence = `${call.toolName} was not carried out, because it could not be recorded first.`
    return { status: 'cancelled', result: toolError('execution_error', sentence) }
  }
  if (!claim.claimed) return answerFromLedger(run, call, args, invocation, claim)
  if (run.stopping.signal.aborted) {
    const stopped = { status: 'cancelled', result: stoppedError() } as const
    await settle(run, invocation, stopped, 0)
    return { ...stopped, claimed: true }
  }
  const started = run.clock.now()
  const execution = executionOf(run, call, args, claim.idempotencyKey)
  const executed = await executeToolCall(execution, settingsOf(run, call))
  if (executed.result.ok) run.memory.done[call.key] = executed.result.data
  await settle(run, invocation, executed, run.clock.now() - started)
  return { ...toOutcome(executed), claimed: true }
}

/**
 * What happened stays true when the record fails: the row's lease, or the integration, settles it later. Answers
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

const firstPollMs = 50
const longestPollMs = 1000

/** Claims; while the same write runs elsewhere (a second approval, a second tab), waits for how it ends. */
async function claimWhenFree(run: Run, invocation: Invocation): Promise<Claim> {
  const { clock, limits, ledger, stopping } = run
  const giveUp = clock.now() + limits.toolTimeoutMs
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const claim = await ledger.claim(invocation)
    if (claim.claimed || claim.status !== 'running') return claim
    if (clock.now() >= giveUp || stopping.signal.aborted) return claim
    await clock.sleep(pollMs, stopping.signal)
  }
}

/** What the ledger knows of the same write decides. */
async function answerFromLedger(
  run: Run,
  call: RoundCall,
  args: Arguments,
  invocation: Invocation,
  claim: Exclude<Claim, { claimed: true }>,
): Promise<Outcome> {
  if (claim.status === 'stopped') {
    run.stopping.abort()
    return { status: 'cancelled', result: stoppedError() }
  }
  if (claim.status === 'running') {
    const sentence = `${call.toolName} is still running; whether it succeeds is not known yet.`
    return { status: 'cancelled', result: toolError('timeout', sentence) }
  }
  if (claim.status === 'unknown') {
    call.repetition = claim.latest ?? call.repetition
    return verifyEarlier(run, call, args, { ...invocation, repetition: call.repetition }, claim)
  }
  if (call.approved) {
    const data = claim.result?.ok ? claim.result.data : null
    return { status: 'succeeded', result: { ok: true, data }, repeated: true }
  }
  return { status: 'parked', parked: parkRepetition(call, (claim.latest ?? call.repetition) + 1) }
}

/** Asks the provider about an earlier write of unknown outcome; where it does not know, the user decides. */
async function verifyEarlier(
  run: Run,
  call: RoundCall,
  args: Arguments,
  invocation: Invocation,
  claim: { result?: ToolResult; idempotencyKey?: string },
): Promise<Outcome> {
  const error = claim.result?.ok === false ? claim.result : outcomeUnknown()
  const verification = await verifyWrite(
    executionOf(run, call, args, claim.idempotencyKey ?? ''),
    settingsOf(run, call),
  )
  if (verification === 'unknown') return { status: 'unknown', result: error }
  if (verification === 'sent') {
    await settle(run, invocation, { status: 'succeeded', result: carriedOut }, 0)
    return { status: 'succeeded', result: carriedOut, claimed: true }
  }
  const recorded = await settle(run, invocation, { status: 'failed', result: error }, 0)
  return recorded ? runWrite(run, call, args) : { status: 'unknown', result: error }
}

function executionOf(run: Run, call: RoundCall, args: Arguments, idempotencyKey: string): Execution {
  const tool = run.tools.get(call.toolName)
  if (!tool) throw new Error(`Tool "${call.toolName}" is not bound.`)
  return { tool, args, idempotencyKey, attempt: call.attempt }
}

function settingsOf(run: Run, { toolCallId, toolName }: RoundCall): ExecutionSettings {
  return {
    clock: run.clock,
    limits: run.limits,
    signal: run.stopping.signal,
    onWait: (waitMs, error) =>
      run.emit({ type: 'tool-wait', toolCallId, toolName, waitMs, reason: error.error }),
  }
}

function toOutcome({ status, result, retryAt }: Executed): Exclude<Outcome, { status: 'parked' }> {
  if (result.ok) return { status: 'succeeded', result }
  const failure = status === 'succeeded' ? 'failed' : status
  return { status: failure, result, ...(retryAt === undefined ? {} : { retryAt }) }
}

/** The ledger's row for a call. */
export function invocationOf(run: Run, call: RoundCall): Invocation {
  return {
    id: crypto.randomUUID(),
    runId: run.memory.id,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    effect: call.effect,
    attempt: call.attempt,
    intent: call.intentNumber,
    arguments: call.input,
    repairs: call.repairs,
    repetition: call.repetition,
  }
}
