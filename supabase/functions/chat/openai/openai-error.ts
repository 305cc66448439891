import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { setRetryAfter } from '../../../../shared/server/http/error-response.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'

/** A parameter of the body is invalid: status 400. */
export class ParameterError extends ApiError {
  override name = 'ParameterError'
  readonly param: string
  constructor(param: string, message: string) {
    super('bad_request', message)
    this.param = param
  }
}

/** A run was started but gave no answer: the same request must not be repeated automatically. */
export class CompletionFailed extends ApiError {
  override name = 'CompletionFailed'
}

/**
 * A path, of OpenAI's or others', that is not served: 404. Its type and code let litellm tell it from a missing
 * model, so that it keeps using the model (after a plain 404 it drops it for a while).
 */
export function unknownPath(method: string, path: string): ApiError {
  const place = `${method} ${path.slice(0, 100)} is not served here.`
  const sentence = /^\/responses(?:\/|$)/.test(path)
    ? `${place} ${insteadOfResponses}`
    : `${place} Agents answer POST /chat/completions, and GET /models lists them.`
  return new ApiError('unknown_path', sentence)
}

/** The setting of each library that calls the Responses API on its own, as docs/openai-clients.md lists them. */
const insteadOfResponses =
  'Let your library use POST /chat/completions: openai-agents by set_default_openai_api("chat_completions"), @ai-sdk/openai by provider.chat("…"), Pydantic AI by "openai-chat:…", LangChain by use_responses_api=False.'

/** OpenAI's error object. */
export interface OpenAiError {
  message: string
  type: string
  code: RefusalCode | typeof tooLong
  param: string | null
}

/** OpenAI's code for `context_too_long`: clients know it, and cut or summarize what they send. */
const tooLong = 'context_length_exceeded'

const brokenServer =
  'Something went wrong on the server. Try again; if it keeps happening, see the log of the function.'

/** Any error in OpenAI's format, in a language; an error of ours without its message, which may contain anything. */
export function describeError(cause: unknown, language: Language): { status: number; error: OpenAiError } {
  const {
    status,
    code,
    message: text,
  } = cause instanceof ApiError ? cause : new ApiError('internal_error', brokenServer)
  // What went wrong in a run is already in words.
  const message = cause instanceof CompletionFailed ? text : sayRefusal(language, { code, text })
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
