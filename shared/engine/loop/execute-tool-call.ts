import type { Clock } from '../core/clock.ts'
import { copyJson } from '../core/copy-json.ts'
import {
  isToolError,
  ToolCallError,
  type ToolError,
  type ToolResult,
  type ToolSuccess,
  toolError,
} from '../core/tool-error.ts'
import type { Effect, Tool, Verification } from '../core/tool-specification.ts'
import { classifyError } from '../failures/classify-error.ts'
import { extractToolError } from '../failures/extract-tool-error.ts'
import type { Limits } from './agent-response.ts'

export interface Execution {
  tool: Tool
  args: Record<string, unknown>
  idempotencyKey: string
  attempt: number
}

export interface ExecutionSettings {
  clock: Clock
  limits: Pick<Limits, 'toolTimeoutMs' | 'maxWaitMs'>
  /** The run's signal: it ends reads and waits; a write that has begun is left to settle. */
  signal: AbortSignal
  onWait?: (waitMs: number, error: ToolError) => void
}

/**
 * `unknown`: a write that may have happened. `retryAt`: the clock can resolve it, but only after a wait longer
 * than this run may take (milliseconds since 1970).
 */
export interface Executed {
  status: 'succeeded' | 'failed' | 'unknown' | 'cancelled'
  result: ToolResult
  retryAt?: number
  /** Executions of it. */
  tries: number
}

type Once = Omit<Executed, 'tries'>

const maxTries = 3
const baseWaitMs = 500

/**
 * Runs a prepared call, up to three times where the clock resolves the failure and repeating is safe: reads, and
 * writes that provably did not run. Waits as `Retry-After` says, else 500 ms doubled each time with jitter, all
 * waits together at most `maxWaitMs`. Never rejects.
 */
export async function executeToolCall(execution: Execution, settings: ExecutionSettings): Promise<Executed> {
  const { clock, limits, signal } = settings
  let waited = 0
  for (let tried = 1; ; tried++) {
    const once = await executeOnce(execution, settings)
    const executed = once.status === 'unknown' ? await verifyUnknown(once, execution, settings) : once
    const error = executed.result
    if (error.ok || executed.status !== 'failed' || error.resolver !== 'time')
      return { ...executed, tries: tried }
    const known = Number.isFinite(error.retryAfterMs) ? error.retryAfterMs : undefined
    const waitMs = known ?? backoff(tried, clock)
    if (waited + waitMs > limits.maxWaitMs) {
      return { ...executed, tries: tried, ...(known === undefined ? {} : { retryAt: clock.now() + known }) }
    }
    if (tried === maxTries) return { ...executed, tries: tried }
    settings.onWait?.(waitMs, error)
    await clock.sleep(waitMs, signal)
    if (signal.aborted) return { status: 'cancelled', result: stoppedError(), tries: tried }
    waited += waitMs
  }
}

/** 500 ms, 1 s, 2 s …, half of it at random so that many waiting runs do not come back at once. */
function backoff(tried: number, clock: Clock): number {
  const whole = baseWaitMs * 2 ** (tried - 1)
  return Math.round(whole / 2 + (clock.random() * whole) / 2)
}

export function stoppedError(): ToolError {
  return toolError('cancelled', 'The run was stopped before this call was completed.')
}

async function executeOnce(execution: Execution, settings: ExecutionSettings): Promise<Once> {
  const { name, effect } = execution.tool.specification
  const facts = { toolName: name, effect }
  try {
    // A copy each time: a tool may change its arguments, claim and record keep what was approved.
    const returned = await withinTime(execution, settings, (context) =>
      execution.tool.execute(copyJson(execution.args), context),
    )
    if (isSuccess(returned)) return succeeded(returned.data)
    const cause = extractToolError(returned, undefined, facts)
    return cause === undefined ? succeeded(returned) : failed(cause, facts)
  } catch (cause) {
    if (cause === timeIsOver) return failed(timeoutError(execution, settings), facts)
    if (settings.signal.aborted && effect === 'read') return { status: 'cancelled', result: stoppedError() }
    return failed(cause, facts)
  }
}

/** What cannot be written as JSON (a cycle, a bigint, a function) is kept as a text: the effect has happened. */
function succeeded(data: unknown): Once {
  return { status: 'succeeded', result: { ok: true, data: isJson(data) ? data : String(data) } }
}

function isJson(data: unknown): boolean {
  try {
    return data === undefined || JSON.stringify(data) !== undefined
  } catch {
    return false
  }
}

function isSuccess(value: unknown): value is { ok: true; data: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { ok?: unknown }).ok === true &&
    Object.hasOwn(value, 'data')
  )
}

/** A write that timed out, or broke in a way that says nothing, may have happened: only what is known is `failed`. */
function failed(cause: unknown, facts: { toolName: string; effect: Effect }): Once {
  const error = classifyError(cause, facts)
  if (facts.effect === 'read') return { status: 'failed', result: error }
  const said = isToolError(cause) || cause instanceof ToolCallError
  if (error.errorType === 'timeout' || (error.errorType === 'execution_error' && !said)) {
    return { status: 'unknown', result: outcomeUnknown() }
  }
  return { status: error.errorType === 'outcome_unknown' ? 'unknown' : 'failed', result: error }
}

/** The result of a write whose answer was lost while the provider says that it happened. */
export const carriedOut: ToolSuccess = {
  ok: true,
  data: { note: 'Carried out. The answer was lost, but the provider confirms it.' },
}

export function outcomeUnknown(): ToolError {
  return toolError(
    'outcome_unknown',
    'Question: The answer to this action was lost, so it may or may not have been carried out. Should it be done again?',
  )
}

function timeoutError({ tool }: Execution, { limits }: ExecutionSettings): ToolError {
  const seconds = Math.max(1, Math.round(limits.toolTimeoutMs / 1000))
  return toolError('timeout', `${tool.specification.name} did not answer within ${seconds} s.`)
}

const timeIsOver = Symbol('time is over')

/** Runs one step of a tool; rejects with `timeIsOver` after `toolTimeoutMs`, and when a read's run is stopped. */
async function withinTime<T>(
  { tool, idempotencyKey, attempt }: Execution,
  { clock, limits, signal }: ExecutionSettings,
  step: (context: { signal: AbortSignal; idempotencyKey: string; attempt: number }) => T | Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const answer = step({ signal: own.signal, idempotencyKey, attempt })
  // A tool that has answered already needs no timer.
  if (!isThenable(answer)) return answer
  let callOff = () => {}
  const ended = new Promise<never>((_, reject) => {
    const stop = () => {
      own.abort(signal.reason)
      reject(signal.reason)
    }
    const stopTimer = clock.after(limits.toolTimeoutMs, () => {
      own.abort(new DOMException('The tool took too long.', 'TimeoutError'))
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

/** Asks the provider about a write whose reply was lost, where the tool can. */
async function verifyUnknown(
  executed: Once,
  execution: Execution,
  settings: ExecutionSettings,
): Promise<Once> {
  const verification = await verifyWrite(execution, settings)
  if (verification === 'sent') {
    return { status: 'succeeded', result: carriedOut }
  }
  if (verification === 'not_sent') {
    const error = `${execution.tool.specification.name} was not carried out: the connection was lost.`
    return { status: 'failed', result: toolError('unavailable', error) }
  }
  return executed
}

/** What the provider says about a write whose outcome is unknown; `unknown` where it cannot be asked. */
export async function verifyWrite(execution: Execution, settings: ExecutionSettings): Promise<Verification> {
  const { tool, args } = execution
  if (!tool.verify) return 'unknown'
  try {
    const said = await withinTime(execution, settings, (context) => tool.verify?.(args, context))
    return said === 'sent' || said === 'not_sent' ? said : 'unknown'
  } catch {
    return 'unknown'
  }
}
