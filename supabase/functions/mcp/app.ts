import { type Context, Hono } from 'hono'
import { isUuid } from '../../../shared/engine/core/uuid.ts'
import { asAccountRefused } from '../../../shared/server/authentication/account.ts'
import { asUnavailable } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { requireShallow } from '../../../shared/server/http/json-depth.ts'
import { readJson } from '../../../shared/server/http/read-body.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import { english } from '../../../shared/words/languages/english.ts'
import { sayRefusal } from '../../../shared/words/say.ts'
import { addressFault } from './address.ts'
import type { McpDependencies } from './dependencies.ts'
import { createPushedRequests } from './era-2025/pushed-requests.ts'
import { serve2025 } from './era-2025/serve.ts'
import { challenge, describeResource, metadataPath } from './protected-resource.ts'
import { askInResult } from './protocol/ask-in-result.ts'
import { type Caller, identifyCaller } from './protocol/caller.ts'
import { makeServer } from './protocol/make-server.ts'
import { protocolError } from './protocol/protocol-error.ts'
import { createMcpHandler, isLegacyRequest } from './protocol/sdk.ts'
import type { Service } from './protocol/service.ts'

/** Bytes of a message: a call with its arguments. */
const longestMessage = 1024 * 1024

/** Serves a service to MCP clients of every revision. Functions see their own name at the start of every path. */
export function createApp(dependencies: McpDependencies, service: Service): Hono {
  const { rpc, signed, projectUrl, mcpUrl, urls, streamMs, appUrls } = dependencies
  const parts = { service, signed, streamMs, pushed: createPushedRequests(rpc) }
  const current = createMcpHandler(
    ({ authInfo }) => makeServer(parts, authInfo?.extra?.caller as Caller, askInResult),
    { legacy: 'reject', maxRequestBodySize: longestMessage },
  )
  const app = new Hono({ strict: false })

  app.use(crossOrigin(appUrls.callers))
  app.onError((error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    const response = errorResponse(refusal, 'json')
    if (response.status === 401) response.headers.set('www-authenticate', challenge(mcpUrl))
    return response
  })
  app.notFound(({ req: { method, path } }) =>
    errorResponse(new ApiError('not_found', { method, path }), 'json'),
  )

  app.get(`/mcp/${metadataPath}`, (c) =>
    c.json(describeResource({ projectUrl, mcpUrl, name: service.about.title ?? service.about.name })),
  )

  const serve = async (c: Context) => {
    const agentId = c.req.param('agentId')
    // A client without a token is told where it gets one, whatever else is wrong with its request.
    const caller = await identifyCaller(c.req.raw, agentId, dependencies)
    if (agentId !== undefined && !isUuid(agentId)) throw new ApiError('agent_not_found', { why: 'one' })
    const fault = addressFault(c.req.raw, { urls, callers: appUrls.callers })
    if (fault !== undefined) return protocolError(403, -32_000, fault)
    if (c.req.method !== 'POST') {
      const refused = protocolError(405, -32_000, 'Send a message with POST. There is no stream without one.')
      refused.headers.set('allow', 'POST')
      return refused
    }
    if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
      return protocolError(415, -32_000, 'Send a message as application/json.')
    }
    const read = await readMessage(c.req.raw)
    if (read instanceof Response) return read
    // The body was read. The end of a stream ends what asks and what listens, never what is being done.
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(streamMs + 1000)])
    const request = new Request(c.req.url, { method: 'POST', headers: c.req.raw.headers, signal })
    if (await isLegacyRequest(request, read.message)) {
      return await serve2025(request, read.message, caller, parts).catch((error) => {
        // Nobody reads what becomes of it, and it is no fault.
        if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
        throw error
      })
    }
    const authInfo = { token: '', clientId: caller.grant, scopes: [], extra: { caller } }
    return await current.fetch(request, { parsedBody: read.message, authInfo })
  }
  app.all('/mcp', serve)
  app.all('/mcp/:agentId', serve)
  return app
}

async function readMessage(request: Request): Promise<{ message: unknown } | Response> {
  try {
    const message = await readJson(request, longestMessage)
    requireShallow(message)
    return { message }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return protocolError(error.status, -32_700, sayRefusal(english, error))
  }
}
