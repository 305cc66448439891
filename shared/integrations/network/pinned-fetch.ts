import type { Readable } from 'node:stream'
import { type Agent, type Dispatcher, request } from 'undici'
import { type BodyLimit, BodyLimitReached, meterBody } from '../../engine/core/outside-body.ts'
import { isLoopbackAddress } from './public-address.ts'
import { createCheckedAgent } from './public-connection.ts'
import { mayConnect, readPublicUrl } from './public-url.ts'
import { RefusedPage } from './refused-page.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import { unpackedBody } from './unpacked-body.ts'

export interface PinnedFetchSettings {
  /** Allows this machine itself, on any port and without TLS: only on a laptop (`ASKBACK_ALLOW_PRIVATE_HOSTS`). */
  allowLoopback: boolean
  /** Of each answer: its size, and the time from the request to its last byte. */
  limit: BodyLimit
  /** Ends every request, and every answer that is still being read. */
  signal: AbortSignal
  /** Called once there is a connection: from then on, something may have been sent. */
  onConnect?: () => void
  /** Resolves names; uses the system if absent. */
  resolve?: Resolve
}

/** What a library of somebody else's calls instead of `fetch`. */
export interface PinnedFetch {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Ends its connections. */
  close(): void
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])
const withoutBody = new Set([204, 205, 304])
/** All that another origin gets of a request: any other header may be a credential. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'mcp-protocol-version', 'user-agent'])
/** Of the transfer, not of the content; and nobody keeps cookies. */
const droppedHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'set-cookie',
  'transfer-encoding',
])

/**
 * A `fetch` for servers that somebody named: over https, to public addresses, connected to the address that was checked.
 * Streams the answer. Each redirect is checked like the first address: within an origin it is followed as it is; to another
 * one only a GET is, without credentials; what was posted goes to no other origin. `redirect: 'manual'` gives the redirect
 * itself. Rejects with RefusedPage, BodyLimitReached, or as the connection does; the body does so, too.
 */
export function createPinnedFetch(settings: PinnedFetchSettings): PinnedFetch {
  const { allowLoopback, resolve = resolveBySystem, onConnect } = settings
  const dispatcher = createCheckedAgent(mayConnect(allowLoopback), resolve)
  if (onConnect) dispatcher.on('connect', onConnect)
  return {
    fetch: (url, init = {}) => fetchPinned(url, init, settings, dispatcher),
    close: () => void dispatcher.destroy().catch(() => {}),
  }
}

async function fetchPinned(
  address: string | URL,
  init: RequestInit,
  { allowLoopback, limit, signal: ending }: PinnedFetchSettings,
  dispatcher: Agent,
): Promise<Response> {
  const method = (init.method ?? 'GET').toUpperCase()
  const headers = new Headers(init.headers)
  headers.set('accept-encoding', 'gzip, br')
  const body = bodyText(init.body, headers)
  const slow = AbortSignal.timeout(limit.ms)
  const signal = AbortSignal.any([ending, slow, ...(init.signal ? [init.signal] : [])])
  const asSlow = (cause: unknown) => (slow.aborted ? new BodyLimitReached('ms', limit) : cause)
  let url = checkAddress(address, allowLoopback)
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      // Not `fetch`: undici's never ends on Deno 2.1.14 if an answer comes in several chunks.
      const answer = await request(url, {
        dispatcher,
        signal,
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(headers),
        ...(body === undefined ? {} : { body }),
      })
      answer.body.on('error', () => {})
      const { location } = answer.headers
      const isRedirect = redirects.has(answer.statusCode) && typeof location === 'string'
      if (!isRedirect || init.redirect === 'manual') return responseOf(url, answer, limit, asSlow)
      answer.body.destroy()
      if (init.redirect === 'error') throw new RefusedPage('redirects', url.host)
      const next = checkAddress(follow(location, url), allowLoopback)
      const keepsMethod = method === 'GET' || answer.statusCode === 307 || answer.statusCode === 308
      const staysHome = next.origin === url.origin
      if (!keepsMethod || (!staysHome && method !== 'GET')) throw new RefusedPage('elsewhere', next.origin)
      if (!staysHome) removeCredentials(headers)
      url = next
    }
    throw new RefusedPage('redirects', url.host)
  } catch (cause) {
    throw asSlow(cause)
  }
}

/** Plain http only to this machine itself. Throws RefusedPage. */
function checkAddress(address: string | URL, allowLoopback: boolean): URL {
  const url = readPublicUrl(address, allowLoopback)
  if (url.protocol === 'https:') return url
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isLoopbackAddress(host) || /(?:^|\.)localhost$/.test(host)) return url
  throw new RefusedPage('scheme', url.host)
}

/** Whether people may be sent to an address: one that could be fetched. Says nothing about what its name stands for. */
export function mayOpen(address: string, allowLoopback: boolean): boolean {
  try {
    checkAddress(address, allowLoopback)
    return true
  } catch {
    return false
  }
}

function follow(location: string, from: URL): URL {
  try {
    return new URL(location, from)
  } catch (cause) {
    throw new RefusedPage('not_a_url', location, { cause })
  }
}

function removeCredentials(headers: Headers): void {
  for (const name of [...headers.keys()]) {
    if (!harmlessHeaders.has(name)) headers.delete(name)
  }
}

function bodyText(body: RequestInit['body'], headers: Headers): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (!(body instanceof URLSearchParams)) throw new TypeError('Only texts and forms are sent.')
  if (!headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
  return body.toString()
}

function responseOf(
  url: URL,
  { statusCode, headers: sent, body }: Dispatcher.ResponseData,
  limit: BodyLimit,
  asSlow: (cause: unknown) => unknown,
): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined || droppedHeaders.has(name)) continue
    for (const one of [value].flat()) headers.append(name, one)
  }
  const unpacked = unpackedBody(body, String(sent['content-encoding'] ?? ''))
  if (!unpacked || Number(sent['content-length']) > limit.bytes) {
    body.destroy()
    throw unpacked ? new BodyLimitReached('bytes', limit) : new RefusedPage('kind', url.host)
  }
  const isEmpty = withoutBody.has(statusCode)
  if (isEmpty) body.destroy()
  const response = new Response(isEmpty ? null : streamOf(unpacked, limit, asSlow), {
    status: statusCode,
    headers,
  })
  Object.defineProperty(response, 'url', { value: url.href })
  return response
}

/** The chunks as they come, within the limit; its time is over when the request's is. */
function streamOf(
  body: Readable,
  limit: BodyLimit,
  asSlow: (cause: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const meter = meterBody(limit)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) return controller.close()
        meter.check({ done: false, value })
        controller.enqueue(new Uint8Array(value))
      } catch (cause) {
        body.destroy()
        controller.error(asSlow(cause))
      }
    },
    cancel() {
      body.destroy()
    },
  })
}
