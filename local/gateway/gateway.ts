import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { DataApi } from '../data-api/data-api.ts'
import { type FunctionHost, functionsPath } from '../functions/function-host.ts'
import type { Renderable } from '../http/page.ts'
import { sendError } from '../http/send-error.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { createInboxRoutes } from '../inbox/routes.ts'
import { StartError } from '../process/start-error.ts'

/** What the stack serves at its one origin. */
export interface Parts {
  dataApi: DataApi
  /** Signs users in to other programs; undefined if the project has it switched off. */
  oauthServer: Hono | undefined
  functions: FunctionHost
  inbox: Inbox
  /** Serves `/demo-model/v1/*`. */
  demoModel(request: Request): Response | Promise<Response>
  /** The web app: its pages, its files, `/config.json`. */
  webApp: Hono
  /** HTML of the page at `/status`. */
  statusPage(): Renderable
}

/** The HTTP server of the stack. */
export interface Gateway {
  url: string
  /** Starts serving; until then every request gets a 503. */
  open(parts: Parts): void
  close(): Promise<void>
}

/**
 * Takes the port before anything else, so that a second stack on it ends without having changed anything.
 * @throws {StartError} when the port is taken
 */
export async function startGateway(port: number): Promise<Gateway> {
  let answer = (request: IncomingMessage, response: ServerResponse): void =>
    sendError(request, response, 503, 'starting', 'The local stack is starting. Try again in a second.')
  // Room for URLs with a long search text: one letter may take twelve characters.
  const server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => answer(request, response))
  // Uploads to functions and streams from them have no time limit.
  server.requestTimeout = 0
  // Longer than any client keeps an idle connection (Deno: 90 s), so that none is closed while a request is on its way.
  server.keepAliveTimeout = 120_000
  const url = `http://127.0.0.1:${await listen(server, port)}`
  return {
    url,
    open(parts) {
      answer = createListener(parts)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is already in use, perhaps by another Askback. Stop what runs there, or set ASKBACK_PORT to another port (0 = any free one).`
          : `Port ${port} cannot be used: ${error.message}. Set ASKBACK_PORT to another port (0 = any free one).`
      reject(new StartError(reason))
    })
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function createListener(parts: Parts) {
  const listener = getRequestListener(createRoutes(parts).fetch, { overrideGlobalObjects: false })
  return (request: IncomingMessage, response: ServerResponse): void => {
    // Passed through as raw streams, so that nothing buffers them.
    if (request.url?.startsWith(`${functionsPath}/`)) void parts.functions.handle(request, response)
    else void listener(request, response)
  }
}

function createRoutes({ dataApi, oauthServer, inbox, demoModel, webApp, statusPage }: Parts): Hono {
  const routes = new Hono({ strict: false })
  // Pages of any origin may call, as on Supabase. `@supabase/lite` could not answer a preflight, which names no schema.
  const exposeHeaders = ['content-range', 'content-location', 'preference-applied', 'x-total-count', 'link']
  routes.use('/auth/v1/*', cors({ origin: '*', exposeHeaders }))
  routes.use('/rest/v1/*', cors({ origin: '*', exposeHeaders }))
  if (oauthServer) routes.route('/', oauthServer)
  routes.all('/auth/v1/*', (c) => dataApi.fetch(c.req.raw))
  routes.all('/rest/v1/*', (c) => dataApi.fetch(c.req.raw))
  routes.all('/demo-model/v1/*', (c) => demoModel(c.req.raw))
  // Mail and sign-in are for people at this machine: no other site may reach them through a domain of its own.
  routes.use(async (c, next) => {
    if (isLoopbackName(new URL(c.req.url).hostname)) return next()
    const message = 'Open this page as http://127.0.0.1 or http://localhost.'
    return c.json({ error: { code: 'forbidden', message } }, 403)
  })
  // Nor may it frame them, load them as a script or an image, or keep a handle on their window. No DNS prefetch of
  // links.
  routes.use(
    secureHeaders({ strictTransportSecurity: false, xFrameOptions: 'DENY', originAgentCluster: false }),
  )
  routes.route('/inbox', createInboxRoutes(inbox))
  routes.get('/status', (c) => c.html(statusPage()))
  routes.route('/', webApp)
  routes.notFound((c) => {
    const message = `There is nothing at ${c.req.path}. This stack serves /auth/v1, /rest/v1, /functions/v1, /inbox, /status and the web app at /.`
    return c.json({ error: { code: 'not_found', message } }, 404)
  })
  routes.onError((error, c) => {
    console.error(`[gateway] ${error.stack}`)
    const message = 'The local stack has a fault; its terminal says more.'
    return c.json({ error: { code: 'internal', message } }, 500)
  })
  return routes
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
