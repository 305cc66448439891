import { readJsonText } from '../../core/json-value.ts'
import { cleanReason } from '../../failures/clean-reason.ts'
import type { DispensableParameter } from './chat-request.ts'
import { dispensable } from './chat-request.ts'
import { retryAfter } from './retry-after.ts'

/**
 * Why one request to one model did not give an answer.
 * - `busy`: 429, 5xx, a cut connection: the same request may work in a moment
 * - `silent`: no byte for too long: another model may answer, waiting once more is no use
 * - `refused`: nobody who would answer was reached: wrong key, no credit, no such model, no server
 * - `rejected`: the server does not take this request (other 4xx)
 */
export type FailureKind = 'busy' | 'silent' | 'refused' | 'rejected'

/** One failed request. Its text has neither keys nor addresses with credentials. */
export class CallFailure extends Error {
  override name = 'CallFailure'
  readonly kind: FailureKind
  readonly httpStatus: number | undefined
  readonly retryAfterMs: number | undefined
  /** The parameter the server does not take: the request can go without it. */
  readonly parameter: DispensableParameter | undefined
  /** What the model wrote, where the provider could not read it as a tool call (Groq). */
  readonly failedGeneration: string | undefined
  constructor(
    kind: FailureKind,
    reason: string,
    facts: {
      httpStatus?: number
      retryAfterMs?: number
      parameter?: DispensableParameter
      failedGeneration?: string
      cause?: unknown
    } = {},
  ) {
    super(reason, { cause: facts.cause })
    this.kind = kind
    this.httpStatus = facts.httpStatus
    this.retryAfterMs = facts.retryAfterMs
    this.parameter = facts.parameter
    this.failedGeneration = facts.failedGeneration
  }
}

/** The error object of a provider, wherever its body keeps it. */
interface ProviderError {
  message: string
  code: string
  param: string
  status: number | undefined
  failedGeneration: string | undefined
}

/** Turns an HTTP error into a failure. `body` is the text as it came. */
export function failureOfResponse(status: number, headers: Headers, body: string): CallFailure {
  const failure = failureOf(
    status,
    readProviderError(readJsonText(body) ?? body),
    body,
    retryAfter(headers, body),
  )
  // OpenAI and Anthropic say so of what would fail again.
  const hopeless = failure.kind === 'busy' && headers.get('x-should-retry') === 'false'
  return hopeless ? new CallFailure('rejected', failure.message, { httpStatus: status }) : failure
}

/** Turns an error object inside a 200 answer or a stream into a failure. */
export function failureOfErrorObject(error: unknown): CallFailure {
  const facts = readProviderError({ error })
  const text = JSON.stringify(error)
  return failureOf(facts.status ?? 500, facts, text, retryAfter(new Headers(), text))
}

function failureOf(
  status: number,
  error: ProviderError,
  body: string,
  retryAfterMs: number | undefined,
): CallFailure {
  const facts = { httpStatus: status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  const reason = cleanReason(error.message)
  const said = reason === '' ? '' : `: ${reason.replace(/\.+$/, '')}`
  if (error.code === 'tool_use_failed') {
    return new CallFailure('rejected', `it could not read its own tool call (HTTP ${status})${said}`, {
      ...facts,
      failedGeneration: error.failedGeneration ?? '',
    })
  }
  if (isBadKey(status, body)) {
    // A 403 may have other reasons: a country, a model that the key may not use.
    const why = status === 403 ? said : ''
    return new CallFailure('refused', `the API key was refused (HTTP ${status})${why}`, facts)
  }
  if (status === 402 || error.code === 'insufficient_quota') {
    return new CallFailure('refused', `the account has no credit left (HTTP ${status})`, facts)
  }
  if (status === 404 || error.code === 'model_not_found' || /not a valid model/i.test(error.message)) {
    return new CallFailure('refused', `it has no such model or address (HTTP ${status})${said}`, facts)
  }
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) {
    const what = status === 429 ? 'it asks for a pause' : 'it failed'
    return new CallFailure('busy', `${what} (HTTP ${status})${said}`, facts)
  }
  const parameter = refusedParameter(status, error, body)
  return new CallFailure('rejected', `it refused the request (HTTP ${status})${said}`, {
    ...facts,
    ...(parameter === undefined ? {} : { parameter }),
  })
}

function isBadKey(status: number, body: string): boolean {
  if (status === 401 || status === 403) return true
  // Gemini answers 400 to a wrong key.
  return status === 400 && /API_KEY_INVALID|invalid_api_key|API key not valid/i.test(body)
}

/** A parameter that the server names in a 400 or 422 and that the request can do without. */
function refusedParameter(
  status: number,
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

function readProviderError(body: unknown): ProviderError {
  // Gemini wraps its error object in a list.
  const outer = record(Array.isArray(body) ? body[0] : body)
  const inner = typeof outer.error === 'object' && outer.error !== null ? record(outer.error) : outer
  const texts = [inner.message, inner.detail, outer.error, outer.message, outer.detail]
  const faults = [inner.message, inner.detail].map(faultsText)
  const message =
    texts.find((text) => typeof text === 'string') ??
    faults.find((text) => text !== undefined) ??
    plainText(body)
  const code = inner.code ?? inner.type ?? inner.status
  return {
    message: String(message),
    code: typeof code === 'string' ? code : '',
    param: typeof inner.param === 'string' ? inner.param : '',
    status: httpStatus(inner.code) ?? httpStatus(inner.status) ?? statusOfType.get(String(inner.type)),
    failedGeneration: typeof inner.failed_generation === 'string' ? inner.failed_generation : undefined,
  }
}

/** The faults of a request as FastAPI lists them; Mistral puts that list into its message. */
function faultsText(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : record(value).detail
  if (!Array.isArray(list)) return undefined
  const texts = list.map(record).map(({ loc, msg }) => `${[loc].flat().join('.')}: ${String(msg)}`)
  return texts.slice(0, 3).join('; ')
}

/** What an error inside a stream means, where it has no number. */
const statusOfType = new Map(
  Object.entries({
    invalid_request_error: 400,
    authentication_error: 401,
    permission_error: 403,
    rate_limit_error: 429,
    overloaded_error: 529,
  }),
)

function httpStatus(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number >= 400 && number <= 599 ? number : undefined
}

/** An HTML page of a proxy says nothing that its status does not say. */
function plainText(body: unknown): string {
  return typeof body === 'string' && !/^\s*</.test(body) ? body.trim() : ''
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Turns what `fetch` threw into a failure. */
export function failureOfException(cause: unknown, host: string): CallFailure {
  // Deno's words hold the whole address, which may be called anything.
  const words = wordsOf(cause).replace(/https?:\/\/\S+/gi, '')
  if (redirected.test(words)) {
    return new CallFailure('refused', `${host} leads to another address, set the base URL to that one`, {
      cause,
    })
  }
  if (unreachable.test(words)) {
    return new CallFailure('refused', `no model server answers at ${host}`, { cause })
  }
  return new CallFailure('busy', `the connection to ${host} was lost`, { cause })
}

/** Node: "unexpected redirect"; Deno: "Encountered redirect while redirect mode is set to 'error'". */
const redirected = /unexpected redirect|encountered redirect/i

/** Node names errors by code, Deno by the words of its HTTP client. */
const unreachable =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|CERT|certificate|connection refused|dns error|failed to lookup|client error \(Connect\)|invalid url/i

function wordsOf(cause: unknown, depth = 0): string {
  if (depth > 4 || !(cause instanceof Error)) return typeof cause === 'string' ? cause : ''
  const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] }
  const nested = [cause.cause, ...(Array.isArray(errors) ? errors : [])]
  return [cause.message, code, ...nested.map((inner) => wordsOf(inner, depth + 1))].join(' ')
}
