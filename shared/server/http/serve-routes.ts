import type { Context, Env, Hono } from 'hono'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '../../api/route.ts'
import { requireShallow } from './json-depth.ts'
import { parseRequest } from './parse-request.ts'
import { readJson, readOptionalJson } from './read-body.ts'

/** What a route reads from a request, each part when it is asked for. They throw ApiError. */
export interface RouteRequest<One extends Route> {
  params(): ParamsOf<One>
  query(): QueryOf<One>
  /** Throws ApiError 400 for a body that is not JSON, 413 for one that is too large. */
  body(): Promise<BodyOf<One>>
}

/** Serves one route: `handle` answers what the route says it answers, or a response of its own. */
export type ServeRoute<Variables extends Env> = ReturnType<typeof serveRoutes<Variables>>

/** Serves the routes of a function. `maxBytes`: of a body. `guard` throws ApiError for a request that is refused first. */
export function serveRoutes<Variables extends Env>(
  app: Hono<Variables>,
  maxBytes: number,
  guard: (route: Route, request: Request) => Promise<void>,
) {
  return <const One extends Route>(
    route: One,
    handle: (request: RouteRequest<One>, c: Context<Variables>) => Promise<AnswerOf<One> | Response>,
  ): void => {
    const { method, path, params, query, body, isBodyOptional, status = 200 } = route
    app.on(method, path, async (c) => {
      await guard(route, c.req.raw)
      const answer = await handle(
        {
          params: () => read(params, c.req.param()) as ParamsOf<One>,
          query: () => read(query, c.req.query()) as QueryOf<One>,
          async body() {
            const given = await (isBodyOptional ? readOptionalJson : readJson)(c.req.raw, maxBytes)
            requireShallow(given)
            return read(body, given) as BodyOf<One>
          },
        },
        c,
      )
      return answer instanceof Response ? answer : c.json(answer as unknown as object, status)
    })
  }
}

function read(schema: z.ZodType | undefined, given: unknown): unknown {
  return schema && parseRequest(schema, given)
}
