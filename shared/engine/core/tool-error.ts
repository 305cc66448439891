import { inEnglish } from '../../words/languages/in-english.ts'
import type { Asked, Said } from './asked.ts'
import { withoutMark } from './question-mark.ts'
import type { Change } from './seen.ts'

/**
 * The only shape of a failed tool call: HTTP body between functions, ledger row, stream part, metric.
 * Add an error type here, with its default resolver; what follows from it is in `transcript/error-consequence.ts`.
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

/** The call to send instead; every path in `open` (like `to[0].email`) has a slot text `"<what belongs here>"`. */
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
  /** The tool's own advice, in a sentence. */
  hint?: string
  /** What people are asked or told, if it differs from what the model reads. */
  asked?: Said & Partial<Asked>
  /** Title of the only tool that says so: people read "<asker> asks: …", see `questionForPeople`. */
  asker?: string
  /**
   * The sentence is the tool's own. `question`: it asks, in these words. `failure`: nothing else is known, so the model
   * may call once more, changed as the sentence says.
   */
  said?: 'question' | 'failure'
  /** What an approval relied on is no longer so: nothing was done, and the same is asked again. Counts only if thrown. */
  changed?: Change[]
  correction?: Correction
  problems?: Problem[]
  /** What a server of MCP asks before it goes on, as it goes back there with the answer. Counts only if thrown. */
  parked?: { state?: string; requests: Record<string, unknown> }
}

/** `error` starts with `Question:` if the resolver is `model` or `user`, and is a plain sentence otherwise. */
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
    retryAfterMs: facts.retryAfterMs,
    details: facts.details ?? {},
  }
}

/** The same from a sentence of ours: marked as a question if the model or the user can answer it. */
export function saidError(
  errorType: ToolErrorType,
  said: Said,
  facts: { resolver?: Resolver; retryAfterMs?: number; details?: ToolErrorDetails } = {},
): ToolError {
  const resolver = facts.resolver ?? defaultResolver[errorType]
  const mark = resolver === 'model' || resolver === 'user' ? 'Question: ' : ''
  const details = { ...facts.details, asked: said }
  return toolError(errorType, mark + inEnglish(said), { ...facts, details })
}

/** Thrown by a tool that knows what its failure means: passed on unchanged. Returned errors never are. */
export class ToolCallError extends Error {
  override name = 'ToolCallError'
  readonly toolError: ToolError
  constructor(error: ToolError, options?: { cause: unknown }) {
    super(error.error, options)
    this.toolError = error
  }
}

/**
 * Thrown by a tool that needs another value before it can do anything. Nothing may have happened yet: for a write it
 * proves that. `parameter` is the path of the argument it is about, like `to[0]`; without it the words may name one.
 * The model answers, unless `resolver` is `user`: then the field is opened for the user, and the rest of the call is kept.
 * `choices`: the only values that are possible now. `question`: in words, or a sentence of ours.
 *
 * @example
 * new Question('Which calendar should I use?', { parameter: 'calendar' }).message // => 'Question: Which calendar should I use?'
 */
export class Question extends ToolCallError {
  override name = 'Question'
  constructor(
    question: string | Said,
    about: {
      parameter?: string
      resolver?: 'model' | 'user'
      choices?: readonly unknown[]
      /** The code and the values of a question in words, if clients can translate it. */
      said?: Said
    } = {},
  ) {
    const { parameter, resolver, choices, said } = about
    const words = typeof question === 'string' ? withoutMark(question) : inEnglish(question)
    const asked = typeof question === 'string' ? said && { ...said, asked: words } : question
    const details = {
      parameter,
      allowed: choices && [...choices],
      asked,
    }
    super(toolError('missing_parameter', `Question: ${words}`, { resolver, details }))
  }
}

/**
 * Thrown by a write, before its effect, if what its approval relied on is no longer so: nothing is done, and the person is
 * asked again and told what has changed.
 */
export class Changed extends ToolCallError {
  override name = 'Changed'
  constructor(changed: readonly Change[]) {
    const sentence =
      'Question: Should it still be done? What it depends on has changed since it was approved.'
    super(toolError('conflict', sentence, { resolver: 'user', details: { changed: [...changed] } }))
  }
}

/** The known members of an error: at least `{ ok: false, error }`, and whatever else it has of our shape. */
export type ToolErrorLike = Pick<ToolError, 'ok' | 'error'> & Partial<ToolError>

/**
 * True for anybody's tool error: `ok: false`, a text, and no member that contradicts our shape. Missing members are
 * unknown: `classifyError` fills them in.
 *
 * @example
 * isToolError(toolError('not_found', 'Question: Which document do you mean?')) // => true
 * isToolError({ ok: false, error: 'no' }) // => true
 * isToolError({ ok: false, error: 'no', errorType: 'odd' }) // => false
 */
export function isToolError(value: unknown): value is ToolErrorLike {
  if (typeof value !== 'object' || value === null) return false
  const { ok, error, errorType, resolver, details } = value as Record<string, unknown>
  return (
    ok === false &&
    typeof error === 'string' &&
    (errorType === undefined || isErrorType(errorType)) &&
    (resolver === undefined || isResolver(resolver)) &&
    (details === undefined || (typeof details === 'object' && details !== null))
  )
}

/** True for exactly our own shape, including type, resolver and details. */
export function isWholeToolError(value: unknown): value is ToolError {
  if (!isToolError(value)) return false
  return value.errorType !== undefined && value.resolver !== undefined && value.details !== undefined
}

function isErrorType(value: unknown): value is ToolErrorType {
  return typeof value === 'string' && Object.hasOwn(defaultResolver, value)
}

const resolvers: readonly unknown[] = ['model', 'time', 'user', 'nobody'] satisfies Resolver[]

function isResolver(value: unknown): value is Resolver {
  return resolvers.includes(value)
}
