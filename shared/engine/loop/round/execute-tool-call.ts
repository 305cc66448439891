import { waitBeforeTry } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import { copyJson } from '../../core/copy-json.ts'
import type { Seen } from '../../core/seen.ts'
import type { ParkedQuestion, ServerReply } from '../../core/server-question.ts'
import { saidError, type ToolError, type ToolResult, type ToolSuccess } from '../../core/tool-error.ts'
import type {
  Effect,
  ExecuteContext,
  FreePlaces,
  Tool,
  ToolModelUse,
  ToolSpecification,
  Verification,
} from '../../core/tool-specification.ts'
import { isVerification } from '../../core/verification.ts'
import { findThrown } from '../../failures/classify-error.ts'
import { outcomeMissing, outcomeUnknown } from '../../failures/outcome-unknown.ts'
import { readServerQuestion } from '../../failures/server-question.ts'
import { judgeReturned, judgeThrown, readReturned } from '../../tools/tool-outcome.ts'
import { toolValues } from '../../wording/question-values.ts'
import type { Limits } from '../run/agent-response.ts'

export interface Execution {
  tool: Tool
  args: Record<string, unknown>
  toolCallId?: string
  idempotencyKey: string
  attempt: number
  freePlaces?: FreePlaces
  /** What its approval relied on. */
  seen?: Seen
  /** What its server gets, which has asked something. */
  reply?: ServerReply
}

export interface ExecutionSettings {
  clock: Clock
  limits: Pick<Limits, 'toolTimeoutMs' | 'maxWaitMs'>
  /** The run's signal: it ends reads and waits; a write that has started is left to finish. */
  signal: AbortSignal
  onWait?: (waitMs: number, error: ToolError) => void
  onModelUse?: (use: ToolModelUse) => void
}

/**
 * `unknown`: a write that may have happened. `retryAt`: the clock can resolve it, but only after a wait longer
 * than this run may take (milliseconds since 1970).
 */
export interface Executed {
  status: 'succeeded' | 'failed' | 'unknown' | 'cancelled'
  result: ToolResult
  retryAt?: number
  /** How often the tool was executed. */
  tries: number
  /** What its server asks before it goes on. */
  parked?: ParkedQuestion
}

/** One try of a call. */
type Try = Omit<Executed, 'tries' | 'retryAt'>

const maxTries = 3
const baseMs = 500

/**
 * Runs a prepared call, up to three times if the clock resolves the failure and repeating is safe: reads, and
 * writes that provably did not run. Waits as `Retry-After` says, else 500 ms doubled each time with jitter, all
 * waits together at most `maxWaitMs`, and all tries with their waits at most `toolTimeoutMs`; a write is only tried
 * again while half of that is left, and one of a server that others run never is: nobody knows what that proves.
 * Never rejects.
 */
export async function executeToolCall(execution: Execution, settings: ExecutionSettings): Promise<Executed> {
  const { clock, limits, signal } = settings
  const deadline = clock.now() + limits.toolTimeoutMs
  const isWrite = execution.tool.specification.effect === 'write'
  const timeForOneMoreMs = isWrite ? limits.toolTimeoutMs / 2 : 1
  let waited = 0
  for (let tries = 1; ; tries++) {
    const once = await executeOnce(execution, settings, deadline - clock.now())
    const executed = once.status === 'unknown' ? await verifyUnknown(once, execution, settings) : once
    const error = executed.result
    if (error.ok || executed.status !== 'failed' || error.resolver !== 'time') return { ...executed, tries }
    if (isWrite && execution.tool.specification.foreign) return { ...executed, tries }
    const known = Number.isFinite(error.retryAfterMs) ? error.retryAfterMs : undefined
    const waitMs = waitBeforeTry(tries, { baseMs, askedMs: known, chance: clock.random() })
    if (waited + waitMs > limits.maxWaitMs) {
      return { ...executed, tries, ...(known === undefined ? {} : { retryAt: clock.now() + known }) }
    }
    const isLate = clock.now() + waitMs + timeForOneMoreMs > deadline
    if (tries === maxTries || isLate) return { ...executed, tries }
    settings.onWait?.(waitMs, error)
    await clock.sleep(waitMs, signal)
    if (signal.aborted) return { status: 'cancelled', result: stoppedError(), tries }
    waited += waitMs
  }
}

export function stoppedError(): ToolError {
  return saidError('cancelled', { code: 'run_stopped' })
}

async function executeOnce(execution: Execution, settings: ExecutionSettings, timeMs: number): Promise<Try> {
  const { tool, args } = execution
  const { effect } = tool.specification
  const call = { tool: tool.specification, args, effectBegan: false }
  const effectBegins = () => {
    call.effectBegan = true
  }
  let isOver = false
  const usedModel = (use: ToolModelUse) => {
    if (!isOver) settings.onModelUse?.(use)
  }
  try {
    // A copy each time: a tool may change its arguments, but claim and record keep what was approved.
    const returned = await withinTime(execution, settings, timeMs, (context) => {
      const answer = tool.execute(copyJson(args), Object.assign(context, { effectBegins, usedModel }))
      return isThenable(answer) ? answer.then(readReturned) : readReturned(answer)
    })
    const result = judgeReturned(returned, call)
    return result.ok ? { status: 'succeeded', result } : failed(result, effect)
  } catch (cause) {
    if (cause === timeIsOver) return timedOut(execution, settings)
    if (settings.signal.aborted && effect === 'read') return { status: 'cancelled', result: stoppedError() }
    const { error, parked } = readServerQuestion(judgeThrown(cause, call))
    if (parked) return { status: 'failed', result: error, parked }
    const isUnproven = error.errorType === 'execution_error' && error.details.said !== 'failure'
    const saysNothing = isUnproven && !findThrown(cause)
    return saysNothing && effect === 'write' ? unknown : failed(error, effect)
  } finally {
    // A tool that continues after its time is over adds nothing to a run that went on without it.
    isOver = true
  }
}

const unknown: Try = { status: 'unknown', result: outcomeUnknown() }

/** A write that only ran out of time may have happened. */
function failed(error: ToolError, effect: Effect): Try {
  if (effect === 'write' && error.errorType === 'timeout') return unknown
  const isUnknown = effect === 'write' && error.errorType === 'outcome_unknown'
  return { status: isUnknown ? 'unknown' : 'failed', result: error }
}

function timedOut({ tool }: Execution, { limits }: ExecutionSettings): Try {
  const { specification } = tool
  if (specification.effect === 'write') return unknown
  const seconds = Math.max(1, Math.round(limits.toolTimeoutMs / 1000))
  const values = { ...toolValues(specification), seconds }
  return { status: 'failed', result: saidError('timeout', { code: 'tool_late', values }) }
}

/** The result of a write whose answer was lost but which the provider confirms. */
export const carriedOut: ToolSuccess = {
  ok: true,
  data: { note: 'Carried out. The answer was lost, but the provider confirms it.' },
}

/** A write whose reply was lost, and of which the provider says that it never happened. */
export function notCarriedOut(specification: ToolSpecification): ToolError {
  return saidError('unavailable', { code: 'tool_unreached', values: toolValues(specification) })
}

const timeIsOver = Symbol('time is over')

/** Runs one function of a tool; rejects with `timeIsOver` after `timeMs`, or when a read's run is stopped. */
async function withinTime<T>(
  { tool, toolCallId, idempotencyKey, attempt, freePlaces, seen, reply }: Execution,
  { clock, signal }: ExecutionSettings,
  timeMs: number,
  perform: (context: Omit<ExecuteContext, 'effectBegins' | 'usedModel'>) => T | Promise<T>,
): Promise<T> {
  // Created on demand: most tools never use it, and on Node it is the most expensive part of a short call.
  let own: AbortController | undefined
  const controller = () => {
    own ??= new AbortController()
    return own
  }
  const context = {
    get signal() {
      return controller().signal
    },
    toolCallId,
    idempotencyKey,
    attempt,
    freePlaces,
    seen,
    reply,
  }
  const answer = perform(context)
  // A tool that has already answered needs no timer.
  if (!isThenable(answer)) return answer
  let callOff = () => {}
  const ended = new Promise<never>((_, reject) => {
    const stop = () => {
      controller().abort(signal.reason)
      reject(signal.reason)
    }
    const stopTimer = clock.after(timeMs, () => {
      controller().abort(new DOMException('The tool took too long.', 'TimeoutError'))
      reject(timeIsOver)
    })
    callOff = () => {
      stopTimer()
      signal.removeEventListener('abort', stop)
    }
    if (tool.specification.effect !== 'read') return
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([answer, ended])
  } finally {
    callOff()
  }
}

function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Asks the provider about a write whose reply was lost, if the tool can. */
async function verifyUnknown(executed: Try, execution: Execution, settings: ExecutionSettings): Promise<Try> {
  const verification = await verifyWrite(execution, settings)
  if (verification === 'sent') {
    return { status: 'succeeded', result: carriedOut }
  }
  if (verification === 'not_sent') {
    return { status: 'failed', result: notCarriedOut(execution.tool.specification) }
  }
  const { result } = executed
  return verification === 'not_found' && !result.ok
    ? { ...executed, result: outcomeMissing(result) }
    : executed
}

/** What the provider says about a write with unknown outcome; `unknown` if it cannot be asked. */
export async function verifyWrite(execution: Execution, settings: ExecutionSettings): Promise<Verification> {
  const { tool, args } = execution
  if (!tool.verify) return 'unknown'
  try {
    const { toolTimeoutMs } = settings.limits
    const said = await withinTime(execution, settings, toolTimeoutMs, (context) =>
      tool.verify?.(args, Object.assign(context, { effectBegins() {}, usedModel() {} })),
    )
    return isVerification(said) ? said : 'unknown'
  } catch {
    return 'unknown'
  }
}
