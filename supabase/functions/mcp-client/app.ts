import { Hono } from 'hono'
import { z } from 'zod'
import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'
import { ToolCallError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import { withoutNothing } from '../../../shared/engine/core/without-nothing.ts'
import { asAccountRefused, requireAccount } from '../../../shared/server/authentication/account.ts'
import { requireTicket } from '../../../shared/server/client-calls/between-functions.ts'
import { asUnavailable } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { requireShallow } from '../../../shared/server/http/json-depth.ts'
import { parseRequest } from '../../../shared/server/http/parse-request.ts'
import { readJson } from '../../../shared/server/http/read-body.ts'
import { createExecutor } from '../../../shared/server/integration-function/execute-action.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import {
  type CompleteAnswer,
  callRequest,
  callRoute,
  completeRequest,
  completeRoute,
  type SignInAnswer,
  signInRequest,
  signInRoute,
  signOutRequest,
  signOutRoute,
  toolsRequest,
  toolsRoute,
} from '../../../shared/server/server-calls/server-call.ts'
import { listServer } from './calls/list-server.ts'
import { makeAction } from './calls/make-action.ts'
import { openTool } from './calls/open-tool.ts'
import type { ClientDependencies } from './dependencies.ts'
import { ServerFailure } from './protocol/server-failure.ts'
import { callbackPath, describeClient, documentPath, identityOf } from './sign-in/identity.ts'
import { createSignIns } from './sign-in/sign-in.ts'
import { SignInFailed } from './sign-in/sign-in-failed.ts'

/** Bytes of a request: a call with its arguments. */
const maxBodyBytes = 4 * 1024 * 1024

/** Talks to servers of MCP for other functions, which send a ticket for exactly this request. */
export function createApp({
  rpc,
  functionSecret,
  reach,
  signIns: store,
  addFile,
  openKeyring,
  appUrls,
  publicUrl,
}: ClientDependencies): Hono {
  const identity = identityOf(publicUrl)
  const signIns = createSignIns({ store, identity, reach })
  const executor = createExecutor([], { rpc, credentialsKeys: undefined, appUrls })
  const app = new Hono({ strict: false }).basePath('/mcp-client')

  app.onError((error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    return errorResponse(refusal, 'json')
  })
  app.notFound(({ req: { method, path } }) =>
    errorResponse(new ApiError('not_found', { method, path }), 'json'),
  )

  async function read<Schema extends z.ZodType<{ userId: string }>>(
    request: Request,
    route: string,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const body = await readJson(request, maxBodyBytes)
    requireShallow(body)
    const whose = z.looseObject({ userId: z.string() }).safeParse(body)
    if (!whose.success) throw new ApiError('unauthorized', { why: 'ticket_incomplete' })
    await requireTicket(request, route, whose.data, functionSecret)
    return parseRequest(schema, body)
  }

  app.post(`/${toolsRoute}`, async (c) => {
    const { userId, server } = await read(c.req.raw, toolsRoute, toolsRequest)
    await requireAccount(rpc, userId)
    return c.json(await listServer(server, { ...reach, userId, signIns, signal: c.req.raw.signal }))
  })

  app.post(`/${callRoute}`, async (c) => {
    const call = await read(c.req.raw, callRoute, callRequest)
    const { userId, server, arguments: args, idempotencyKey, agentId, clientId, seen, reply } = call
    const opened = await openTool(call, rpc, openKeyring).catch(asResult)
    if ('ok' in opened) return c.json(opened)
    const parts = { ...reach, userId, signIns, addFile, serverId: server.id }
    const action = makeAction(opened, reply, parts)
    const actionCall = {
      ...withoutNothing({ agentId, clientId, seen }),
      userId,
      idempotencyKey,
      args,
      argumentHash: await argumentHash(args),
      signal: c.req.raw.signal,
      usedModel() {},
    }
    if (!call.verify) return c.json(await executor.execute(action, actionCall))
    return c.json({ ok: true, data: { verification: await executor.verify(action, actionCall) } })
  })

  app.post(`/${signInRoute}`, async (c) => {
    const { userId, url, challenge, returnTo } = await read(c.req.raw, signInRoute, signInRequest)
    await requireAccount(rpc, userId)
    const begun = signIns
      .begin(userId, { server: urlOf(url), challenge, returnTo })
      .then((page): SignInAnswer => ({ kind: 'page', ...page }), asUnusable)
    return c.json(await begun)
  })

  app.post(`/${completeRoute}`, async (c) => {
    const { userId, code } = await read(c.req.raw, completeRoute, completeRequest)
    await requireAccount(rpc, userId)
    const completed = signIns
      .complete(userId, code)
      .then((url): CompleteAnswer => ({ kind: 'signed_in', url }), asUnusable)
    return c.json(await completed)
  })

  app.post(`/${signOutRoute}`, async (c) => {
    const { userId, url } = await read(c.req.raw, signOutRoute, signOutRequest)
    await signIns.signOut(userId, urlOf(url))
    return c.json({})
  })

  // Browsers come here from the page of an authorization server, and authorization servers for the document: without a ticket.
  app.get(`/${callbackPath}`, async (c) => {
    const { state = '', code, iss } = c.req.query()
    const answer = code === undefined ? undefined : { code, ...(iss === undefined ? {} : { iss }) }
    const address = await signIns.receive({ state, ...(answer && { answer }) })
    if (!address) throw new ApiError('unknown_state')
    c.header('referrer-policy', 'no-referrer')
    return c.redirect(address.href)
  })
  app.get(`/${documentPath}`, (c) => c.json(describeClient(identity)))

  return app
}

/** What is known of a call before anything has begun. */
function asResult(cause: unknown): ToolError {
  if (cause instanceof ToolCallError) return cause.toolError
  throw cause
}

/** A server has one name, however its address was written. */
function urlOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}

function asUnusable(cause: unknown): { kind: 'unusable'; said: ServerFailure['said'] } {
  if (cause instanceof SignInFailed || cause instanceof ServerFailure) {
    return { kind: 'unusable', said: cause.said }
  }
  throw cause
}
