import { type BodyLimit, bodyLimits } from '../../../../shared/engine/core/outside-body.ts'
import { version } from '../../../../shared/server/version.ts'
import { type Asked2025, createAnswerer } from './asked-2025.ts'
import { mendTools } from './mend-tools.ts'
import type { NamedServer, Reach } from './named-server.ts'
import { Client } from './sdk.ts'
import { ServerFailure, serverFailure } from './server-failure.ts'
import { createServerFetch, type ServerFetch } from './server-fetch.ts'
import { WatchedTransport } from './watched-transport.ts'

/** A connection to a server, for one call or one look at its tools. */
export interface OpenServer {
  url: string
  client: Client
  /** What it asks during a call, before 2026-07-28. */
  asked: Asked2025
  /** Our words for what the SDK has thrown. */
  failure(cause: unknown): ReturnType<typeof serverFailure>
  /** Ends the session of a server that keeps one, and all connections. Never rejects. */
  close(): Promise<void>
}

/** Milliseconds to end a session. */
const endMs = 2_000
/** Pages of a list: what has more is taken for endless. */
const mostPages = 16

const about = { name: 'askback', title: 'Askback', version }

/**
 * Connects to a server, in the newest revision that both sides know. Samples nothing and has no roots; news of the server is
 * not asked for. Rejects with ServerFailure or SignInNeeded.
 */
export async function openServer(
  server: NamedServer,
  reach: Reach,
  { limit = bodyLimits.mcpServer, hears = true, answer }: OpenSettings = {},
): Promise<OpenServer> {
  if (!URL.canParse(server.url)) throw new ServerFailure(server.url, 'not_a_url', { isHarmless: true })
  const header = unfitHeader(server.headers)
  if (header !== undefined) throw new ServerFailure(server.url, 'header', { isHarmless: true, header })
  const web = createServerFetch(server, reach, { limit, hears })
  const asked = createAnswerer(answer)
  const client = new Client(about, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: 'auto' },
    // What a server asks is stored, and answered by another process.
    inputRequired: { autoFulfill: false },
    listMaxPages: mostPages,
  })
  // An answer to what a server has asked is another request, also where another process sends it.
  Reflect.set(client, '_requestMessageId', crypto.getRandomValues(new Uint32Array(1))[0])
  client.setRequestHandler('elicitation/create', ({ params }) => asked.answer(params))
  const failure = (cause: unknown) => web.failure() ?? serverFailure(server.url, cause)
  let transport: WatchedTransport | undefined
  const close = () => closeServer(client, transport, web)
  try {
    transport = new WatchedTransport(new URL(server.url), { fetch: web.fetch, redirectPolicy: 'follow' })
    // The SDK looks at messages after this.
    transport.onmessage = mendTools
    await client.connect(transport, { timeout: limit.ms, signal: reach.signal })
  } catch (cause) {
    const known = failure(cause)
    await close()
    throw known
  }
  return { url: server.url, client, asked, failure, close }
}

interface OpenSettings {
  limit?: BodyLimit
  /** Before 2026-07-28, servers may ask in a stream of its own. */
  hears?: boolean
  /** Answers what a server asks during a call, before 2026-07-28; without it, and for undefined, nobody does. */
  answer?: Parameters<typeof createAnswerer>[0]
}

/** Of the transfer, of MCP itself, or of browsers: a server's own headers are none of these. */
const reserved =
  /^(?:accept.*|connection|content-.*|cookie|host|keep-alive|last-event-id|mcp-.*|origin|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** The name of the first header that cannot be sent. */
function unfitHeader(headers: NamedServer['headers'] = {}): string | undefined {
  return Object.entries(headers).find(
    ([name, value]) =>
      reserved.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~]*$/.test(value),
  )?.[0]
}

async function closeServer(
  client: Client,
  transport: WatchedTransport | undefined,
  web: ServerFetch,
): Promise<void> {
  if (transport?.sessionId !== undefined) {
    const ending = transport.terminateSession().catch(() => {})
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, endMs)
      ending.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
  await client.close().catch(() => {})
  web.close()
}
