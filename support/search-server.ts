import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSearchSimulator, type SearchSimulator } from '../local/simulator/search.ts'

/** Every search provider on loopback. */
export interface SearchServer extends Omit<SearchSimulator, 'answer'> {
  /** Of a provider, as `SERPER_API_BASE_URL` and its like have it. */
  baseURL(provider: { id: string }): string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSearchServer(): Promise<SearchServer> {
  const simulator = createSearchSimulator()
  const { url, ...end } = await listen(
    async (request) => (await simulator.answer(request)) ?? new Response('No such path.', { status: 404 }),
  )
  const { answer: _, ...rest } = simulator
  return {
    ...rest,
    baseURL: ({ id }) => `${url}/${id}`,
    ...end,
  }
}

/** A page as a site sends it. */
export interface SitePage {
  body: string | Uint8Array
  type?: string
  status?: number
  headers?: Record<string, string>
}

/** A site on loopback: pages by path, with what was asked for. */
export interface Site {
  url: string
  /** Path and query of every request. */
  asked: string[]
  pages: Map<string, SitePage>
  /** What every page waits for, after it was asked for. */
  hold?: (() => Promise<void>) | undefined
  [Symbol.asyncDispose](): Promise<void>
}

/** Without a page for `/robots.txt` it allows everything, as sites without one do. */
export async function startSite(pages: Record<string, SitePage | string> = {}): Promise<Site> {
  const held = new Map(
    Object.entries(pages).map(([path, page]) => [path, typeof page === 'string' ? { body: page } : page]),
  )
  const asked: string[] = []
  const { url, ...end } = await listen(async (request) => {
    const { pathname, search } = new URL(request.url)
    asked.push(pathname + search)
    await site.hold?.()
    const page = held.get(pathname + search) ?? held.get(pathname)
    if (!page) return new Response('There is no such page.', { status: 404 })
    const { body, status = 200, type = 'text/html; charset=utf-8', headers = {} } = page
    return new Response(body as BodyInit, { status, headers: { 'content-type': type, ...headers } })
  })
  const site: Site = { url, asked, pages: held, ...end }
  return site
}

async function listen(answer: (request: Request) => Response | Promise<Response>) {
  const server = createServer(async (request, response) => {
    const answered = await answer(await readRequest(request))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(new Uint8Array(await answered.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** By hand: what adapts servers of Hono to Node does not run on Deno 2.1.14. */
async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  let body = ''
  // On Deno 2.1.14 a request without a body never ends.
  if (method !== 'GET') for await (const chunk of incoming) body += chunk
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(method === 'GET' ? {} : { body }),
  })
}
