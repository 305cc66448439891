import type { BodyLimit } from '../../../../shared/engine/core/outside-body.ts'
import { lookUpHeaders } from '../../../../shared/engine/failures/facts/response-headers.ts'
import { waitOfHeaders } from '../../../../shared/engine/failures/facts/wait-time.ts'
import { createPinnedFetch } from '../../../../shared/integrations/network/pinned-fetch.ts'
import type { NamedServer, Reach } from './named-server.ts'
import { extractWWWAuthenticateParams, type FetchLike } from './sdk.ts'
import { type Challenge, ServerFailure, SignInNeeded, serverFailure } from './server-failure.ts'

/** How a server is reached. */
export interface ServerFetch {
  fetch: FetchLike
  /** Why a message was not answered: the SDK may put it in other words. */
  failure(): ServerFailure | SignInNeeded | undefined
  close(): void
}

/** Errors of JSON-RPC come with these, and the SDK reads them. */
const readable = new Set([400, 404, 405, 406, 409, 415, 422, 500])

/**
 * The `fetch` of one connection to a server. Its headers and its token are added here, for its own origin alone. `hears`: it is
 * open for what the server pushes besides its answers; nobody reads its news.
 */
export function createServerFetch(
  server: NamedServer,
  reach: Reach,
  { limit, hears }: { limit: BodyLimit; hears: boolean },
): ServerFetch {
  const { url, headers: own = {}, token } = server
  const { answerMs = limit.ms, ...reached } = reach
  const web = createPinnedFetch({ ...reached, limit: { ...limit, ms: Math.min(limit.ms, answerMs) } })
  let failure: ServerFailure | SignInNeeded | undefined

  async function send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (new URL(address).origin === new URL(url).origin) {
      for (const [name, value] of Object.entries(own)) headers.set(name, value)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    }
    const response = await web.fetch(address, { ...init, headers })
    const { status } = response
    if (response.ok || init.method === 'DELETE' || init.method === 'GET') return response
    const challenge = readChallenge(response)
    const isJson = /json/i.test(response.headers.get('content-type') ?? '')
    if (!challenge && isJson && readable.has(status)) return response
    await response.body?.cancel()
    if (challenge) throw new SignInNeeded(url, challenge, status === 403)
    // Before 2026-07-28, a server that does not know the first message says so with any of these.
    if (isProbe(init.body)) return new Response(null, { status: 400 })
    const retryAfterMs = waitOfHeaders(lookUpHeaders(response.headers))
    throw new ServerFailure(url, 'status', {
      status,
      retryAfterMs,
      isHarmless: status < 500 && status !== 408,
    })
  }

  return {
    async fetch(address, init = {}) {
      if (!hears && init.method === 'GET' && !new Headers(init.headers).has('last-event-id')) {
        return new Response(null, { status: 405 })
      }
      try {
        return await send(address, init)
      } catch (cause) {
        const known = serverFailure(url, cause)
        if (init.method === 'POST') failure ??= known
        throw known
      }
    },
    failure: () => failure,
    close: () => web.close(),
  }
}

/** What a refusal asks for: to sign in (401), or to be granted more (403). */
function readChallenge(response: Response): Challenge | undefined {
  const { status } = response
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response)
  if (status !== 401 && !(status === 403 && error === 'insufficient_scope')) return undefined
  return {
    ...(resourceMetadataUrl ? { metadataUrl: resourceMetadataUrl.href } : {}),
    ...(scope === undefined ? {} : { scope }),
  }
}

function isProbe(body: RequestInit['body']): boolean {
  return typeof body === 'string' && body.includes('"method":"server/discover"')
}
