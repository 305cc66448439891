import type { Asked } from './asked.ts'
import { withoutMark } from './question-mark.ts'

/**
 * The one shape of a failed tool call: HTTP body between functions, ledger row, stream part, metric.
 * Add an error type here, with its default resolver, and nowhere else.
 */

/** Who can resolve an error: the model fixes the call, the clock waits, the user answers, nobody can. */
export type Resolver = 'model' | 'time' | 'user' | 'nobody'

/** Every error type with the resolver it has unless facts say otherwise. */
export const defaultResolver = {
  missing_parameter: 'model',
  invalid_type: 'model',
  invalid_value: 'model',
  unknown_parameter: 'model',
  malformed_arguments: 'model',
  tool_not_found: 'model',
  not_found: 'model',
  conflict: 'model',
  rate_limit_exceeded: 'time',
  timeout: 'time',
  unavailable: 'time',
  not_configured: 'user',
  authentication_error: 'user',
  permission_denied: 'user',
  quota_exceeded: 'user',
  outcome_unknown: 'user',
  approval_denied: 'nobody',
  cancelled: 'nobody',
  execution_error: 'nobody',
} as const satisfies Record<string, Resolver>

export type ToolErrorType = keyof typeof defaultResolver

/** The call to send instead; every path in `open` (like `to[0].email`) holds a slot text `"<what belongs here>"`. */
export interface Correction {
  name: string
  arguments: Record<string, unknown>
  open: string[]
}

/** One fault of a call; a call may have several. */
export interface Problem {
  errorType: ToolErrorType
  parameter?: string
  expected?: string
  actual?: string
  suggestion?: string
}

/** The facts of an error. Paths are written like `to[0].email`; `suggestion` is the bare name or value. */
export interface ToolErrorDetails {
  parameter?: string
  value?: unknown
  expected?: string
  actual?: string
  constraint?: string
  allowed?: unknown[]
  requiredParameters?: string[]
  example?: unknown
  suggestion?: string
  action?: { label: string; href: string }
  /** A sentence of the tool's own on how to do better. */
  hint?: string
  /** What people are asked or told, where that is not what the model reads. */
  asked?: Asked
  /** Title of the tool that alone says so: people read "<asker> asks: …", see `questionForPeople`. */
  asker?: string
  correction?: Correction
  problems?: Problem[]
}

/** `error` starts with `Question:` when resolver is `model` or `user`, and is a plain sentence otherwise. */
export interface ToolError {
  ok: false
  error: string
  errorType: ToolErrorType
  resolver: Resolver
  retryAfterMs?: number
  details: ToolErrorDetails
}

export interface ToolSuccess<T = unknown> {
  ok: true
  data: T
}

export type ToolResult<T = unknown> = ToolSuccess<T> | ToolError

/**
 * Builds a tool error; the resolver defaults to that of its type.
 *
 * @example
 * toolError('timeout', 'The search took longer than 30 s.').resolver // => 'time'
 */
export function toolError(
  errorType: ToolErrorType,
  error: string,
  facts: { resolver?: Resolver; retryAfterMs?: number; details?: ToolErrorDetails } = {},
): ToolError {
  return {
    ok: false,
    error,
    errorType,
    resolver: facts.resolver ?? defaultResolver[errorType],
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
    details: facts.details ?? {},
  }
}

/** Thrown by a tool that knows what its failure means: it is passed on as it is. What a tool returns never is. */
export class ToolCallError extends Error {
  override name = 'ToolCallError'
  readonly toolError: ToolError
  constructor(error: ToolError) {
    super(error.error)
    this.toolError = error
  }
}

/**
 * Thrown by a tool that needs another value before it can do anything. Nothing may have happened yet: of a write it
 * proves that. `parameter` is the path of the argument it is about, like `to[0]`; without it the words may name one.
 * The model answers, unless `resolver` is `user`: then that field is opened for the user, and the rest of the call kept.
 * `choices`: the only values that it can take now.
 *
 * @example
 * new Question('Which calendar should I use?', { parameter: 'calendar' }).message // => 'Question: Which calendar should I use?'
 */
export class Question extends ToolCallError {
  override name = 'Question'
  constructor(
    question: string,
    about: { parameter?: string; resolver?: 'model' | 'user'; choices?: readonly unknown[] } = {},
  ) {
    const { parameter, resolver, choices } = about
    const sentence = `Question: ${withoutMark(question)}`
    const details = {
      ...(parameter === undefined ? {} : { parameter }),
      ...(choices ? { allowed: [...choices] } : {}),
    }
    super(toolError('missing_parameter', sentence, { resolver, details }))
  }
}

/**
 * True for exactly our own shape: `ok: false`, a known `errorType`, a known `resolver`, a text and `details`.
 *
 * @example
 * isToolError(toolError('not_found', 'Question: Which document do you mean?')) // => true
 * isToolError({ ok: false, error: 'no' }) // => false
 */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null) return false
  const candidate = value as Partial<ToolError>
  return (
    candidate.ok === false &&
    typeof candidate.error === 'string' &&
    typeof candidate.errorType === 'string' &&
    Object.hasOwn(defaultResolver, candidate.errorType) &&
    (candidate.resolver === 'model' ||
      candidate.resolver === 'time' ||
      candidate.resolver === 'user' ||
      candidate.resolver === 'nobody') &&
    typeof candidate.details === 'object' &&
    candidate.details !== null
  )
}
