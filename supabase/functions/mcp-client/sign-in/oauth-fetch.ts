import { isObject, readJsonText } from '../../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../../shared/engine/core/outside-body.ts'
import { createPinnedFetch } from '../../../../shared/integrations/network/pinned-fetch.ts'
import type { Reach } from '../protocol/named-server.ts'
import type { FetchLike } from '../protocol/sdk.ts'
import { ServerFailure, serverFailure } from '../protocol/server-failure.ts'

const limit = bodyLimits.signIn

export interface OAuthFetch {
  fetch: FetchLike
  /** Why the newest request was not answered. */
  failure(): ServerFailure | undefined
  close(): void
}

/**
 * The `fetch` for authorization servers: public addresses, small answers. What is posted (codes, tokens, secrets) is redirected
 * nowhere, and of a refusal only its code is kept: its words may repeat what was posted, and the SDK logs them.
 */
export function createOAuthFetch(reach: Reach): OAuthFetch {
  const { answerMs = limit.ms, ...reached } = reach
  const web = createPinnedFetch({ ...reached, limit: { ...limit, ms: Math.min(limit.ms, answerMs) } })
  let failure: ServerFailure | undefined
  return {
    async fetch(url, init = {}) {
      failure = undefined
      const isPost = init.method === 'POST'
      try {
        const response = await web.fetch(url, { ...init, redirect: isPost ? 'error' : 'follow' })
        return response.ok || !isPost ? response : await withCodeAlone(response)
      } catch (cause) {
        const known = serverFailure(String(url), cause)
        if (known instanceof ServerFailure) failure = known
        throw known
      }
    },
    failure: () => failure,
    close: () => web.close(),
  }
}

/** RFC 6749, 5.2: a short code from a fixed set. */
async function withCodeAlone(response: Response): Promise<Response> {
  const said = readJsonText(await readText(response, limit))
  const code = isObject(said) && typeof said.error === 'string' ? said.error : ''
  const otherwise = response.status >= 500 || response.status === 429 ? 'server_error' : 'invalid_request'
  const error = /^[\w-]{1,60}$/.test(code) ? code : otherwise
  return Response.json({ error }, { status: response.status })
}
