import { type RefusalCode, statuses } from '../../../../shared/api/refusals.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { setRetryAfter } from '../../../../shared/server/http/error-response.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { BadRequest } from '../../../../shared/words/refused/faults.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'

/** A parameter of the body is invalid: status 400. */
export class ParameterError extends ApiError<'bad_request'> {
  override name = 'ParameterError'
  readonly param: string
  constructor(param: string, fault: BadRequest) {
    super('bad_request', fault)
    this.param = param
  }
}

/**
 * A run was started but gave no answer: the same request must not be repeated automatically. `words`: for its reader.
 * `code`: that of the same failure as a refused request.
 */
export class CompletionFailed extends ApiError<'run_failed'> {
  override name = 'CompletionFailed'
  override readonly code: RefusalCode
  constructor(code: RefusalCode, words: string, options: { status?: number; cause?: unknown } = {}) {
    super('run_failed', { words }, { status: statuses[code][0], ...options })
    this.code = code
  }
}

/**
 * A path, of OpenAI's or others', that is not served: 404. Its type and code let litellm tell it from a missing
 * model, so that it keeps using the model (after a plain 404 it drops it for a while).
 */
export function unknownPath(method: string, path: string): ApiError {
  return new ApiError('unknown_path', { method, path: path.slice(0, 100) })
}

/** OpenAI's error object. */
export interface OpenAiError {
  message: string
  type: string
  code: RefusalCode | typeof tooLong
  param: string | null
}

/** OpenAI's code for `context_too_long`: clients know it, and cut or summarize what they send. */
const tooLong = 'context_length_exceeded'

/** Any error in OpenAI's format, in a language; an error of ours without its message, which may contain anything. */
export function describeError(cause: unknown, language: Language): { status: number; error: OpenAiError } {
  const refusal = cause instanceof ApiError ? cause : new ApiError('internal_error', { why: 'request' })
  const { status, code } = refusal
  const message = refusal instanceof CompletionFailed ? refusal.message : sayRefusal(language, refusal)
  const param =
    cause instanceof ParameterError ? cause.param : code === 'context_too_long' ? 'messages' : null
  // OpenAI clients repeat a 409 like a 503.
  const shown = status === 409 ? 400 : status
  const known = code === 'context_too_long' ? tooLong : code
  return { status: shown, error: { message, type: typeOf(shown), code: known, param } }
}

/** The error as a response, with headers that keep clients from repeating what must not be repeated. */
export function openAiErrorResponse(cause: unknown, language: Language): Response {
  const { status, error } = describeError(cause, language)
  const headers = new Headers()
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  const { retryAfterSeconds, isBudget = false, isFinal = false } = cause instanceof ApiError ? cause : {}
  setRetryAfter(headers, status, retryAfterSeconds)
  if (isBudget || isFinal || cause instanceof CompletionFailed) headers.set('x-should-retry', 'false')
  return Response.json({ error }, { status, headers })
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
