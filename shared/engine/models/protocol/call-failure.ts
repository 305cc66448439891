import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ToolErrorType } from '../../core/tool-error.ts'
import { classifyError } from '../../failures/classify-error.ts'
import { cleanReason } from '../../failures/clean-reason.ts'
import { networkCode } from '../../failures/facts/network-code.ts'
import { pictureRefusals } from '../../failures/tables/words.ts'
import { type DispensableParameter, dispensableParameters } from './dispensable-parameters.ts'
import { statusOfNumber } from './refusal-numbers.ts'
import { isAboutTools, type Refusal, readRefusal } from './refusal-words.ts'
import { readWindowRefusal, type WindowRefusal } from './window-refusal.ts'

/**
 * Why a request to a model gave no answer.
 * - `busy`: 429, 5xx, a cut connection: the same request may work in a moment
 * - `silent`: no byte for too long, or no end: another model may answer, waiting again is useless
 * - `refused`: nobody who would answer was reached: wrong key, no credit, no such model, a model without tools, no server
 * - `window`: the request is longer than the model reads
 * - `rejected`: the server does not accept this request (other 4xx)
 */
export type FailureKind = 'busy' | 'silent' | 'refused' | 'window' | 'rejected'

/** What an operator may read about a failed request: nothing that the server said, which may quote the conversation. */
export interface FailureCause {
  /**
   * HTTP status (`503`; of an error inside a 200 answer the one that it stands for), the code of a network failure
   * (`ECONNREFUSED`), or what was wrong with the answer (`web_page`).
   */
  errorType: string
  /** In our own words. */
  why: string
  /** Tokens of a request that was too long, as the server says or as estimated, and how many the model reads. */
  sent?: number
  window?: number
}

/** What is too large: the newest message, what the agent was set up with, or what this turn has brought. */
export type TooLong = 'message' | 'setup' | 'turn'

/** One failed request. Its text is for the operator and contains neither keys nor URLs with credentials. */
export class CallFailure extends Error implements FailureCause {
  override name = 'CallFailure'
  kind: FailureKind
  readonly errorType: string
  why: string
  sent?: number
  window?: number
  readonly said: string | undefined
  readonly httpStatus: number | undefined
  readonly retryAfterMs: number | undefined
  /** The parameter that the server does not accept: the request can be sent without it. */
  readonly parameter: DispensableParameter | undefined
  /** The model's text, if the provider could not parse it as a tool call (Groq). */
  readonly failedGeneration: string | undefined
  /** The key is the reason: wrong, or without permission. */
  readonly isKeyRefused: boolean
  /** The definitions of the tools are the reason; `perhaps` if the server does not say what is. */
  readonly isAboutTools: 'surely' | 'perhaps' | undefined
  /** What a failure of kind `window` says. */
  readonly refusal: WindowRefusal | undefined
  /** To how many tokens the refused request has to be cut, estimated and unscaled. */
  most: number | undefined
  /** What cannot be made short enough. */
  tooLong: TooLong | undefined
  constructor(
    kind: FailureKind,
    why: string,
    facts: {
      /** By default the status, or the kind. */
      errorType?: string
      /** The server's words. */
      said?: string
      httpStatus?: number | undefined
      retryAfterMs?: number | undefined
      parameter?: DispensableParameter | undefined
      failedGeneration?: string
      isKeyRefused?: boolean
      isAboutTools?: 'surely' | 'perhaps' | undefined
      refusal?: WindowRefusal
      cause?: unknown
    } = {},
  ) {
    super(facts.said ? `${why}: ${facts.said}` : why, { cause: facts.cause })
    this.kind = kind
    this.why = why
    this.errorType = facts.errorType ?? String(facts.httpStatus ?? kind)
    this.said = facts.said
    this.httpStatus = facts.httpStatus
    this.retryAfterMs = facts.retryAfterMs
    this.parameter = facts.parameter
    this.failedGeneration = facts.failedGeneration
    this.isKeyRefused = facts.isKeyRefused ?? false
    this.isAboutTools = facts.isAboutTools
    this.refusal = facts.refusal
  }
}

/** Turns an HTTP error into a failure. `body` is the raw text. */
export function readErrorResponse(status: number, headers: Headers, body: string): CallFailure {
  const read = readJsonText(body) ?? body
  const failure = judge(status, headers, read, body.length > mostJudged ? body.slice(0, mostJudged) : read)
  // OpenAI and Anthropic mark failures that would happen again.
  const hopeless = failure.kind === 'busy' && headers.get('x-should-retry') === 'false'
  if (!hopeless) return failure
  const { why, said } = failure
  return new CallFailure('rejected', why, { httpStatus: status, ...(said ? { said } : {}) })
}

/** An answer that is a web page: no model server is at this address, or, unless it is a 404, a gateway stands in for it. */
export function webPageInstead(host: string, status: number): CallFailure {
  return new CallFailure(status === 404 ? 'refused' : 'busy', `${host} answers with a web page`, {
    httpStatus: status,
    errorType: 'web_page',
  })
}

/** Whether an answer is a web page, not JSON. */
export function isWebPage(headers: Headers, body: string): boolean {
  return (
    /^(?:text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '') ||
    /^\s*<(?:!doctype|html)\b/i.test(body)
  )
}

/** Turns an error object inside a 200 answer or a stream into a failure. */
export function readErrorObject(error: unknown): CallFailure {
  const object = isObject(error) ? error : {}
  const { code, status } = object
  const read = (known: number | undefined) => judge(known, new Headers(), { error }, { error })
  const failure = read([code, status].map(Number).find(isErrorStatus))
  const isVague = failure.kind === 'busy' && failure.httpStatus === undefined
  const meant = isVague ? statusOfNumber(object) : undefined
  return meant === undefined ? failure : read(meant)
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}

/** What such a tool error means for a model: that it cannot answer at all, and why. */
const refusals: Partial<Record<ToolErrorType, { why: string; status: number }>> = {
  authentication_error: { why: 'the API key was refused', status: 401 },
  permission_denied: { why: 'the API key may not do this', status: 403 },
  quota_exceeded: { why: 'the account has no credit left', status: 402 },
  not_configured: { why: 'it is not set up', status: 400 },
  not_found: { why: 'it has no such model or address', status: 404 },
}

/** What servers' own words mean, which say more than a status. */
const meanings: Record<Refusal, { kind: FailureKind; why: string; status: number }> = {
  no_tools: { kind: 'refused', why: 'it cannot use tools', status: 400 },
  no_credit: { kind: 'refused', why: 'the account has no credit left', status: 402 },
  no_model: { kind: 'refused', why: 'it has no such model or address', status: 404 },
  forbidden: { kind: 'rejected', why: 'it refused the request', status: 400 },
}

/** Faults of a request, whatever its status: it would fail again. */
const faultsOfRequest: readonly ToolErrorType[] = [
  'invalid_value',
  'invalid_type',
  'missing_parameter',
  'unknown_parameter',
]

/** Characters of a body that are used to judge a failure; a longer one is not an error object. */
const mostJudged = 8000

/**
 * The failure tables of tools also know the codes, words and waits of language models. `status`: undefined for an error
 * inside an answer with status 200, which is as definite as any other.
 */
function judge(status: number | undefined, headers: Headers, body: unknown, judged: unknown): CallFailure {
  const error = readProviderError(body)
  const { errorType, resolver, retryAfterMs } = classifyError(undefined, {
    httpStatus: status ?? null,
    headers,
    body: judged,
  })
  const said = cleanReason(error.message.slice(0, 1000)).replace(/\.$/, '')
  const facts = { httpStatus: status, retryAfterMs, said }
  /** A failure with the status that an error without one stands for. */
  const fail = (kind: FailureKind, why: string, stands?: number, more: object = {}) =>
    new CallFailure(kind, why, { ...facts, httpStatus: status ?? stands, ...more })
  if (error.failedGeneration !== undefined) {
    const { failedGeneration } = error
    return fail('rejected', 'it could not read its own tool call', 400, { failedGeneration })
  }
  // With any status: 400, 404 of a gateway that finds no such model, 500 of a server without the vision part.
  if (pictureRefusals.words.test(error.message)) {
    return fail('rejected', 'it takes no pictures', 400, { parameter: 'pictures' })
  }
  const parameter = findRefusedParameter(status, error, JSON.stringify(body))
  if (parameter !== undefined) return fail('rejected', 'it refused the request', status, { parameter })
  const refusal = readWindowRefusal({ status, ...error })
  if (refusal !== undefined) return fail('window', wordWindow(refusal), 400, { refusal })
  const spoken = meaningOf(status, error)
  if (spoken !== undefined) return fail(spoken.kind, spoken.why, spoken.status)
  const aboutTools = status === undefined || isOfRequest(status) ? isAboutTools(error.message) : undefined
  // llama.cpp answers 500 to a schema that it cannot make a grammar of.
  const isSaid = status === 400 || status === 422 || /schema|grammar/i.test(error.message)
  if (aboutTools === 'surely' && isSaid) {
    return fail('rejected', 'it refused the request', 400, { isAboutTools: aboutTools })
  }
  // If a server that has read the request forbids something, it is about the request, not the key's permissions.
  const isForbidden = errorType === 'permission_denied' && (status === 400 || status === 422)
  const unusable = isForbidden ? undefined : refusals[errorType]
  if (unusable !== undefined) {
    const isKeyRefused = errorType === 'authentication_error' || errorType === 'permission_denied'
    return fail('refused', unusable.why, unusable.status, { isKeyRefused })
  }
  if (errorType === 'rate_limit_exceeded') return fail('busy', 'it asks for a pause', 429)
  const isFault = status === undefined && faultsOfRequest.includes(errorType)
  // A 409 means that another request is in the way; an empty answer means that the server broke down.
  if (!isFault && (resolver === 'time' || errorType === 'conflict' || (status ?? 500) >= 500)) {
    return fail('busy', 'it failed')
  }
  return fail('rejected', 'it refused the request', 400, { isAboutTools: aboutTools })
}

/** In our own words, with what the server counts. */
function wordWindow({ limit, sent, isPerMinute }: WindowRefusal): string {
  const request = sent === undefined ? 'the request' : `the request of ${count(sent)} tokens`
  const most = limit === undefined ? '' : ` the ${count(limit)} that`
  return isPerMinute
    ? `${request} is longer than${most || ' what'} this account may send in a minute`
    : `${request} is longer than${most || ' what'} the model reads`
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}

function isOfRequest(status: number): boolean {
  return status === 400 || status === 422 || status === 500
}

/** What the server's own words or codes say. */
function meaningOf(
  status: number | undefined,
  { message, codes, param }: ProviderError,
): (typeof meanings)[Refusal] | undefined {
  const refusal = readRefusal([message, ...codes].join('\n'), status)
  if (refusal !== undefined) return meanings[refusal]
  if (status !== 400 && status !== 422) return undefined
  if (param === 'model') return meanings.no_model
  return param === 'tools' && codes.includes('unsupported_parameter') ? meanings.no_tools : undefined
}

/** A parameter that the server names in a 400 or 422 and that the request can do without. */
function findRefusedParameter(
  status: number | undefined,
  error: ProviderError,
  body: string,
): DispensableParameter | undefined {
  if (status !== 400 && status !== 422) return undefined
  const named = dispensableParameters.find((parameter) => error.param === parameter)
  if (named === 'reasoning_effort' && /\btools?\b/i.test(error.message)) return 'reasoning_with_tools'
  if (named !== undefined) return named
  const refusal =
    /unsupported|not support|incompatible|not permitted|unknown|unrecognized|unexpected|deprecated|forbidden|only the default|only \S+ is allowed/i
  if (!refusal.test(body)) return undefined
  return dispensableParameters.find((parameter) => new RegExp(`(?<![\\w-])${parameter}(?![\\w-])`).test(body))
}

/** A provider's error object, wherever its body keeps it. */
interface ProviderError {
  message: string
  param: unknown
  /** Its codes and types. */
  codes: string[]
  /** The error object. */
  fields: Record<string, unknown>
  failedGeneration: string | undefined
}

function readProviderError(body: unknown): ProviderError {
  // Gemini wraps its error object in a list.
  const first = Array.isArray(body) ? body[0] : body
  const outer = isObject(first) ? first : {}
  const inner = isObject(outer.error) ? outer.error : outer
  const plain = typeof body === 'string' ? body : undefined
  const texts = [
    ...[inner.message, inner.detail, inner.msg, inner.status_msg, inner.error_msg, inner.error],
    ...[outer.error, outer.message, outer.detail, plain],
  ].map(readText)
  const { code, type, failed_generation: failed } = inner
  return {
    message: texts.find((text) => text !== undefined) ?? '',
    param: inner.param,
    codes: [code, type, outer.code].flatMap((one) =>
      typeof one === 'string' || typeof one === 'number' ? String(one) : [],
    ),
    fields: inner,
    failedGeneration: code === 'tool_use_failed' ? (typeof failed === 'string' ? failed : '') : undefined,
  }
}

/** A text, or the faults of a request as FastAPI lists them; Mistral puts that list into its message. */
function readText(value: unknown): string | undefined {
  // A proxy's HTML page says no more than its status.
  if (typeof value === 'string') return value.trimStart().startsWith('<') ? undefined : value
  const list = isObject(value) ? value.detail : value
  if (!Array.isArray(list)) return undefined
  const faults = list.filter(isObject).map(({ loc, msg }) => `${[loc].flat().join('.')}: ${String(msg)}`)
  return faults.slice(0, 3).join('; ')
}

/** Turns an exception of `fetch` into a failure. */
export function readException(cause: unknown, host: string): CallFailure {
  if (isRedirect(cause)) {
    const reason = `${host} leads to another address, set the base URL to that one`
    return new CallFailure('refused', reason, { cause, errorType: 'redirect' })
  }
  const errorType = codeOf(cause)
  // Treated like a write: its outcome is unknown, unless it was never sent.
  return classifyError(cause, { effect: 'write' }).errorType === 'outcome_unknown'
    ? new CallFailure('busy', `the connection to ${host} was lost`, { cause, errorType })
    : new CallFailure('refused', `no model server answers at ${host}`, { cause, errorType })
}

/** The code of a network failure; `connection_failed` if it has none. */
function codeOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const code = networkCode(error)
    if (code !== undefined) return code
  }
  return 'connection_failed'
}

/** Neither has a code. Node: "unexpected redirect"; Deno: "Encountered redirect while redirect mode is set to 'error'". */
function isRedirect(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  // Deno's message contains the whole URL, which may contain any word.
  const words = cause.message.replace(/https?:\/\/\S+/gi, '')
  return /unexpected redirect|encountered redirect/i.test(words) || isRedirect(cause.cause)
}
