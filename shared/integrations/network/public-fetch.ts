import { type Dispatcher, request } from 'undici'
import { BodyLimitReached, bodyLimits, collectBytes } from '../../engine/core/outside-body.ts'
import { createCheckedAgent } from './public-connection.ts'
import { mayConnect, readPublicUrl } from './public-url.ts'
import { RefusedPage } from './refused-page.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import { unpackedBody } from './unpacked-body.ts'

export interface PublicFetchSettings {
  /** Allows reading from this machine itself, on any port: only on a laptop (`ASKBACK_ALLOW_PRIVATE_HOSTS`). */
  allowLoopback: boolean
  signal: AbortSignal
  /** Called before each request, including redirects; throws if the URL may not be read. */
  mayRead?: (url: URL) => Promise<void>
  /** Whether to follow a redirect; follows all if absent. */
  mayFollow?: (to: URL, from: URL) => boolean
  /** Resolves names; uses the system if absent. */
  resolve?: Resolve
}

/** The content of a URL. */
export interface PublicPage {
  /** The final URL. */
  url: URL
  /** The header as sent; `''` if there is none. */
  contentType: string
  /** Decompressed. */
  bytes: Uint8Array
}

/** An answer with an error status, with the facts to classify it. */
export class FailedPage extends Error {
  override name = 'FailedPage'
  readonly httpStatus: number
  readonly headers: Record<string, string>
  constructor(httpStatus: number, headers: Record<string, string>) {
    super('The server of the page answered with a failure.')
    this.httpStatus = httpStatus
    this.headers = headers
  }
}

const maxRedirects = 5
const { page } = bodyLimits
const redirects = new Set([301, 302, 303, 307, 308])
const readable = /^\s*(?:text\/(?:html|plain|markdown|x-markdown)|application\/xhtml\+xml)\s*(?:;|$)/i

/** The user agent for reading pages: sites address it in `robots.txt` by its first word. */
export const userAgent = 'Askback/1.0 (reads pages for one person who asked; not a crawler)'

const asked = {
  'user-agent': userAgent,
  accept: 'text/html, application/xhtml+xml, text/plain;q=0.8',
  'accept-encoding': 'gzip, br',
}

/**
 * Reads a page at an untrusted URL: only over http and https on the public internet, checked again for each of at most
 * 5 redirects, and only connected to checked addresses. Accepts text only, at most 2 MB after decompression, within
 * 15 s. Throws RefusedPage, FailedPage for an error status, or the network's error.
 */
export async function fetchPublicPage(address: string, settings: PublicFetchSettings): Promise<PublicPage> {
  const { allowLoopback, resolve = resolveBySystem } = settings
  let url = readPublicUrl(address, allowLoopback)
  const slow = AbortSignal.timeout(page.ms)
  const signal = AbortSignal.any([settings.signal, slow])
  const dispatcher = createCheckedAgent(mayConnect(allowLoopback), resolve)
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      await settings.mayRead?.(url)
      // Not `fetch`: undici's never ends on Deno 2.1.14 if an answer comes in several chunks.
      const response = await request(url, { dispatcher, signal, headers: asked })
      response.body.on('error', () => {})
      const { location } = response.headers
      if (!redirects.has(response.statusCode) || typeof location !== 'string') {
        return await readPage(url, response)
      }
      response.body.destroy()
      const next = readPublicUrl(follow(location, url), allowLoopback)
      if (settings.mayFollow && !settings.mayFollow(next, url)) throw new RefusedPage('elsewhere', next.href)
      url = next
    }
    throw new RefusedPage('redirects', url.host)
  } catch (cause) {
    if (slow.aborted) throw new RefusedPage('slow', url.host, { cause })
    throw cause
  } finally {
    dispatcher.destroy().catch(() => {})
  }
}

function follow(location: string, from: URL): URL {
  try {
    return new URL(location, from)
  } catch (cause) {
    throw new RefusedPage('not_a_url', location, { cause })
  }
}

async function readPage(
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<PublicPage> {
  const { host } = url
  const read = (name: string) => String(headers[name] ?? '')
  if (statusCode < 200 || statusCode > 299) {
    throw new FailedPage(statusCode, { 'retry-after': read('retry-after'), date: read('date') })
  }
  const contentType = read('content-type')
  const unpacked = unpackedBody(body, read('content-encoding'))
  if (!readable.test(contentType) || !unpacked) throw new RefusedPage('kind', host)
  if (Number(read('content-length')) > page.bytes) throw new RefusedPage('size', host)
  const bytes = await collectBytes(unpacked, page).catch((cause) => {
    throw cause instanceof BodyLimitReached ? new RefusedPage('size', host, { cause }) : cause
  })
  return { url, contentType, bytes }
}
