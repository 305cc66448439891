import { isObject, readJsonOrText, readJsonText } from '../../engine/core/json-value.ts'
import { BodyLimitReached, bodyLimits, readText } from '../../engine/core/outside-body.ts'
import { timeouts } from '../../engine/core/timeouts.ts'
import { saidError, ToolCallError } from '../../engine/core/tool-error.ts'
import { classifyError } from '../../engine/failures/classify-error.ts'
import { signInAgain } from '../definition/connection-error.ts'
import { explainFailure, GoogleFailure, type GoogleService } from './google-failure.ts'

export interface GoogleRequest {
  /** `GET` by default. */
  method?: string
  url: string
  body?: Blob | undefined
}

/** A user's access to Google: a token, or another one `instead` of one that Google has refused; the same if there is none. */
export interface GoogleAccess {
  accessToken(options?: { instead: string }): Promise<string>
}

/**
 * Typed fetch instead of Google's packages, which repeat a DELETE and never end if the server hangs up: see Dependencies in
 * docs/architecture.md.
 * Answers are JSON objects; undefined for an empty one.
 */
export interface GoogleClient {
  /** Reads or prepares: if it fails, nothing has happened that anybody else sees. Rejects with ToolCallError. */
  ask(request: GoogleRequest): Promise<unknown>
  /** Has an effect: rejects with ToolCallError if Google says why, or with the failure, so that the engine can judge it. */
  act(request: GoogleRequest): Promise<unknown>
}

/**
 * Calls Google as the user. `signal` aborts requests without an effect when nobody is waiting any more; a write that has
 * started runs to its end. `deadlineMs`: milliseconds for all requests of the client.
 */
export function createGoogleClient(
  service: GoogleService,
  access: GoogleAccess,
  signal: AbortSignal,
  deadlineMs: number = timeouts.providerMs,
): GoogleClient {
  const deadline = AbortSignal.timeout(deadlineMs)
  const eitherEnds = AbortSignal.any([deadline, signal])

  async function request({ method = 'GET', url, body }: GoogleRequest, ends: AbortSignal): Promise<string> {
    const send = (token: string) =>
      fetch(url, {
        method,
        headers: { authorization: `Bearer ${token}` },
        // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
        body,
        signal: ends,
        redirect: 'error',
      })
    const token = await access.accessToken()
    let answer = await send(token)
    if (answer.status === 401) {
      // Revoked, or expired by Google's clock: refused before anything was done, so a new token may be tried once.
      await answer.body?.cancel()
      const other = await access.accessToken({ instead: token })
      if (other !== token) answer = await send(other)
      if (answer.status === 401) throw new ToolCallError(signInAgain(service.provider))
    }
    const text = await readText(answer, bodyLimits.google)
    if (answer.ok) return text
    const { status, headers } = answer
    // An error of Google's own servers proves nothing, whatever reason it gives.
    if (status >= 500) throw new GoogleFailure(status, headers, '')
    throw explainFailure(new GoogleFailure(status, headers, readJsonOrText(text)), service)
  }

  return {
    ask: (asked) =>
      request(asked, eitherEnds)
        .then(jsonOf)
        .catch((cause) => harmless(cause, service)),
    act: async (asked) => jsonOf(await request(asked, deadline)),
  }
}

/** A gateway has answered for Google, or the answer is incomplete: treated like no answer. */
function jsonOf(text: string): unknown {
  const answer = readJsonText(text)
  if (!isObject(answer) && text !== '') throw new GoogleFailure(502, new Headers(), '')
  return answer
}

/** For a request without an effect: says what went wrong, never that it may have happened. */
export function harmless(cause: unknown, { provider, tooLarge }: GoogleService): never {
  if (cause instanceof ToolCallError) throw cause
  if (cause instanceof BodyLimitReached && cause.code === 'ERR_ANSWER_TOO_LARGE') {
    throw new ToolCallError(saidError('unavailable', tooLarge))
  }
  throw new ToolCallError(classifyError(cause, { toolName: provider.id, effect: 'read' }))
}
