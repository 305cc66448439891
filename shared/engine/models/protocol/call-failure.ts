import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ToolErrorType } from '../../core/tool-error.ts'
import { classifyError } from '../../failures/classify-error.ts'
import { cleanReason } from '../../failures/clean-reason.ts'
import { pictureRefusals } from '../../failures/tables/words.ts'
import type { DispensableParameter } from './chat-request.ts'
import { dispensable } from './chat-request.ts'

/**
 * Why one request to one model did not give an answer.
 * - `busy`: 429, 5xx, a cut connection: the same request may work in a moment
 * - `silent`: no byte for too long: another model may answer, waiting once more is no use
 * - `refused`: nobody who would answer was reached: wrong key, no credit, no such model, no server
 * - `rejected`: the server does not take this request (other 4xx)
 */
export type FailureKind = 'busy' | 'silent' | 'refused' | 'rejected'

/** One failed request. Its text is for the operator and has neither keys nor addresses with credentials. */
export class CallFailure extends Error {
  override name = 'CallFailure'
  readonly kind: FailureKind
  readonly httpStatus: number | undefined
  readonly retryAfterMs: number | undefined
  /** The parameter the server does not take: the request can go without it. */
  readonly parameter: DispensableParameter | undefined
  /** What the model wrote, where the provider could not read it as a tool call (Groq). */
  readonly failedGeneration: string | undefined
  /** The key is the reason: wrong, or not allowed to do this. */
  readonly isKeyRefused: boolean
  constructor(
    kind: FailureKind,
    reason: string,
    facts: {
      httpStatus?: number | undefined
      retryAfterMs?: number | undefined
      parameter?: DispensableParameter | undefined
      failedGeneration?: string
      isKeyRefused?: boolean
      cause?: unknown
    } = {},
  ) {
    super(reason, { cause: facts.cause })
    this.kind = kind
    this.httpStatus = facts.httpStatus
    this.retryAfterMs = facts.retryAfterMs
    this.parameter = facts.parameter
    this.failedGeneration = facts.failedGeneration
    this.isKeyRefused = facts.isKeyRefused ?? false
  }
}

/** Turns an HTTP error into a failure. `body` is the text as it came. */
export function readErrorResponse(status: number, headers: Headers, body: string): CallFailure {
  const read = readJsonText(body) ?? body
  const failure = judge(status, headers, read, body.length > mostJudged ? body.slice(0, mostJudged) : read)
  // OpenAI and Anthropic say so of what would fail again.
  const hopeless = failure.kind === 'busy' && headers.get('x-should-retry') === 'false'
  return hopeless ? new CallFailure('rejected', failure.message, { httpStatus: status }) : failure
}

/** Turns an error object inside a 200 answer or a stream into a failure. */
export function readErrorObject(error: unknown): CallFailure {
  const { code, status } = isObject(error) ? error : {}
  return judge([code, status].map(Number).find(isErrorStatus), new Headers(), { error }, { error })
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}

/** What a tool error of such a type is for a model: who cannot answer at all, and in which words. */
const refusals: Partial<Record<ToolErrorType, string>> = {
  authentication_error: 'the API key was refused',
  permission_denied: 'the API key may not do this',
  quota_exceeded: 'the account has no credit left',
  not_configured: 'it is not set up',
  not_found: 'it has no such model or address',
}

/** Characters of a body from which it is told what went wrong; what is longer is no error object. */
const mostJudged = 8000

/** The failure tables of tools know the codes, words and waits of language models too. */
function judge(status: number | undefined, headers: Headers, body: unknown, judged: unknown): CallFailure {
  const error = readProviderError(body)
  const { errorType, resolver, retryAfterMs } = classifyError(undefined, {
    httpStatus: status ?? null,
    headers,
    body: judged,
  })
  const facts = { httpStatus: status, retryAfterMs }
  const reason = cleanReason(error.message.slice(0, 1000)).replace(/\.$/, '')
  const said = reason === '' ? '' : `: ${reason}`
  if (error.failedGeneration !== undefined) {
    const { failedGeneration } = error
    return new CallFailure('rejected', `it could not read its own tool call${said}`, {
      ...facts,
      failedGeneration,
    })
  }
  // With any status: 400, 404 of a gateway that finds no such model, 500 of a server without the part that sees.
  if (pictureRefusals.words.test(error.message)) {
    return new CallFailure('rejected', `it takes no pictures${said}`, { ...facts, parameter: 'pictures' })
  }
  // What a server finds not allowed after it has read the request stands in the request, not in the rights of the key.
  const isOfRequest = errorType === 'permission_denied' && (status === 400 || status === 422)
  const refusal = isOfRequest ? undefined : refusals[errorType]
  if (refusal !== undefined) {
    const isKeyRefused = errorType === 'authentication_error' || errorType === 'permission_denied'
    return new CallFailure('refused', refusal + said, { ...facts, isKeyRefused })
  }
  if (errorType === 'rate_limit_exceeded') return new CallFailure('busy', `it asks for a pause${said}`, facts)
  // A 409 is another request in the way; what says nothing at all is a server that broke down.
  if (resolver === 'time' || errorType === 'conflict' || (status ?? 500) >= 500) {
    return new CallFailure('busy', `it failed${said}`, facts)
  }
  const parameter = findRefusedParameter(status, error, JSON.stringify(body))
  return new CallFailure('rejected', `it refused the request${said}`, { ...facts, parameter })
}

/** A parameter that the server names in a 400 or 422 and that the request can do without. */
function findRefusedParameter(
  status: number | undefined,
  error: ProviderError,
  body: string,
): DispensableParameter | undefined {
  if (status !== 400 && status !== 422) return undefined
  const named = dispensable.find((parameter) => error.param === parameter)
  if (named === 'reasoning_effort' && /\btools?\b/i.test(error.message)) return 'reasoning_with_tools'
  if (named !== undefined) return named
  const refusal =
    /unsupported|not support|incompatible|not permitted|unknown|unrecognized|unexpected|deprecated|forbidden|only the default|only \S+ is allowed/i
  if (!refusal.test(body)) return undefined
  return dispensable.find((parameter) => new RegExp(`(?<![\\w-])${parameter}(?![\\w-])`).test(body))
}

/** The error object of a provider, wherever its body keeps it. */
interface ProviderError {
  message: string
  param: unknown
  failedGeneration: string | undefined
}

function readProviderError(body: unknown): ProviderError {
  // Gemini wraps its error object in a list.
  const first = Array.isArray(body) ? body[0] : body
  const outer = isObject(first) ? first : {}
  const inner = isObject(outer.error) ? outer.error : outer
  const plain = typeof body === 'string' ? body : undefined
  const texts = [inner.message, inner.detail, outer.error, outer.message, outer.detail, plain].map(readText)
  const { code, failed_generation: failed } = inner
  return {
    message: texts.find((text) => text !== undefined) ?? '',
    param: inner.param,
    failedGeneration: code === 'tool_use_failed' ? (typeof failed === 'string' ? failed : '') : undefined,
  }
}

/** A text, or the faults of a request as FastAPI lists them; Mistral puts that list into its message. */
function readText(value: unknown): string | undefined {
  // An HTML page of a proxy says nothing that its status does not say.
  if (typeof value === 'string') return value.trimStart().startsWith('<') ? undefined : value
  const list = isObject(value) ? value.detail : value
  if (!Array.isArray(list)) return undefined
  const faults = list.filter(isObject).map(({ loc, msg }) => `${[loc].flat().join('.')}: ${String(msg)}`)
  return faults.slice(0, 3).join('; ')
}

/** Turns what `fetch` threw into a failure. */
export function readException(cause: unknown, host: string): CallFailure {
  if (isRedirect(cause)) {
    const reason = `${host} leads to another address, set the base URL to that one`
    return new CallFailure('refused', reason, { cause })
  }
  // Of a write nobody knows what became of it, unless it never left.
  return classifyError(cause, { effect: 'write' }).errorType === 'outcome_unknown'
    ? new CallFailure('busy', `the connection to ${host} was lost`, { cause })
    : new CallFailure('refused', `no model server answers at ${host}`, { cause })
}

/** Node: "unexpected redirect"; Deno: "Encountered redirect while redirect mode is set to 'error'". */
function isRedirect(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  // Deno's words hold the whole address, which may be called anything.
  const words = cause.message.replace(/https?:\/\/\S+/gi, '')
  return /unexpected redirect|encountered redirect/i.test(words) || isRedirect(cause.cause)
}
