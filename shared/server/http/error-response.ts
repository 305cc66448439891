import type { Language } from '../../words/language.ts'
import { english } from '../../words/languages/english.ts'
import { sayRefusal } from '../../words/say.ts'
import { ApiError } from './api-error.ts'

/** `text`: for clients that show the body as it is (the AI SDK): the sentence alone, with the code in a header. */
export type ErrorForm = 'json' | 'text'

/** The header that carries the code if the body is the sentence alone. */
export const errorCodeHeader = 'x-askback-error'

/**
 * Turns any error into a response. An `ApiError` says what to show; anything else is a bug of ours, which is
 * reported without its message, because that may contain a path, a query or a secret. `language`: of its reader.
 */
export function errorResponse(error: unknown, form: ErrorForm, language: Language = english): Response {
  const refusal = error instanceof ApiError ? error : new ApiError('internal_error', { why: 'request' })
  const { status, code, retryAfterSeconds } = refusal
  const message = sayRefusal(language, refusal)
  const headers = new Headers()
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  setRetryAfter(headers, status, retryAfterSeconds)
  if (form === 'json') return Response.json({ error: { code, message } }, { status, headers })
  headers.set('content-type', 'text/plain; charset=utf-8')
  headers.set(errorCodeHeader, code)
  return new Response(message, { status, headers })
}

/** Says when to try again: after 429 in any case, after anything else if that is known. */
export function setRetryAfter(
  headers: Headers,
  status: number,
  seconds = status === 429 ? 2 : undefined,
): void {
  if (seconds !== undefined) headers.set('retry-after', String(seconds))
}
