import type { Env, Hono } from 'hono'
import { requireTicket } from '../../../../shared/server/client-calls/between-functions.ts'
import {
  callRequest,
  callRoute,
  toolsRequest,
  toolsRoute,
} from '../../../../shared/server/client-calls/client-call.ts'
import { parseRequest } from '../../../../shared/server/http/parse-request.ts'
import { readJson } from '../../../../shared/server/http/read-body.ts'
import { untilAnswered } from '../openai/client-connection.ts'
import { bodyLimits } from '../request/receive-post.ts'
import { type CallParts, carryOutCall } from './carry-out-call.ts'
import { listClientTools } from './load-tools.ts'

/** What the function `mcp` asks for its clients, with a ticket: nobody else can. */
export function serveClientCalls<Variables extends Env>(app: Hono<Variables>, parts: CallParts): void {
  const { dependencies } = parts

  app.post(`/chat/${toolsRoute}`, async (c) => {
    const body = parseRequest(toolsRequest, await readJson(c.req.raw, bodyLimits.json))
    await requireTicket(c.req.raw, toolsRoute, body, dependencies.functionSecret)
    return c.json(await listClientTools(dependencies, body))
  })

  app.post(`/chat/${callRoute}`, async (c) => {
    const body = parseRequest(callRequest, await readJson(c.req.raw, bodyLimits.json))
    await requireTicket(c.req.raw, callRoute, body, dependencies.functionSecret)
    const { answer, leave } = carryOutCall(body, parts)
    return await untilAnswered(c.req.raw, leave, async () => c.json(await answer))
  })
}
