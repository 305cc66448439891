import { connect, type Socket } from 'node:net'
import { App } from '@supabase/lite'
import type { Keys } from '../data-directory/keys.ts'
import {
  isOfDataApi,
  markNumbers,
  markRequest,
  readNumber,
  unmarkNumbers,
  unmarkResponse,
} from './exact-numbers.ts'
import { LiteConnection } from './lite-connection.ts'
import { writeNames } from './rpc-arguments.ts'

/** `@supabase/lite` with one pool of connections. */
export interface Lite {
  /** Serves `/auth/v1/*` and `/rest/v1/*`. */
  fetch(request: Request): Promise<Response>
  readSchema(): Promise<void>
  createAuthSchema(): Promise<void>
  /** Drops its connections; requests that still wait for one wait forever. */
  close(): Promise<void>
}

export interface LiteOptions {
  databaseUrl: string
  keys: Keys
  /** Address of the stack, for the links in mails. */
  url: string
  confirmsEmail?: boolean
  /** The schemas that the data API serves; the first one is the default. */
  schemas?: readonly string[]
  /** Delivers sign-in mails: confirmations, password resets, magic links. */
  sendMail(mail: AuthMail): Promise<void>
}

export interface AuthMail {
  to: string
  subject: string
  text?: string
  html?: string
}

/** @param onLost called when the server is down, or closes a connection that we have not closed */
export function openLite(
  { databaseUrl, keys, url, confirmsEmail = false, schemas = ['public', 'askback'], sendMail }: LiteOptions,
  onLost: () => void,
): Lite {
  const connection = new LiteConnection(databaseUrl, {
    idle_timeout: 30,
    onnotice: () => {},
    ...watchedSocket(onLost),
    types: {
      // PostgREST writes times as ISO 8601, PostgreSQL with a space and a short offset.
      timestamptz: { to: 1184, from: [1184], serialize: String, parse: toIsoTime },
      // JSON arguments of an RPC arrive as text, which must not be encoded again as a JSON string.
      json: { to: 114, from: [114], serialize: toJsonText, parse: fromJsonText },
      jsonb: { to: 3802, from: [3802], serialize: toJsonText, parse: fromJsonText },
      bigint: { to: 20, from: [20], serialize: String, parse: readNumber },
      numeric: { to: 1700, from: [1700], serialize: String, parse: readNumber },
    },
  })
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: url,
      additional_redirect_urls: ['http://localhost:*/**', 'http://127.0.0.1:*/**'],
      email: { enable_confirmations: confirmsEmail },
    },
    api: { schemas: [...schemas] },
    options: {
      server: { disableStudio: true, disableFallback: true },
      drivers: { email: { send: sendMail } },
    },
  })
  return {
    async fetch(request) {
      if (!isOfDataApi(request)) return await app.fetch(request, { peerAddress: null })
      await noticeNewRelation(connection, request)
      const marked = await markRequest(request)
      const again = isOfTheApplication(request) ? marked.clone() : undefined
      const response = await app.fetch(marked, { peerAddress: null })
      if (!mayBeStale.includes(response.status)) return await unmarkResponse(response)
      if (!again) return withNames(response)
      await connection.clearSchemaCache()
      return await unmarkResponse(await withNames(await app.fetch(again, { peerAddress: null })))
    },
    async readSchema() {
      await connection.introspect({ useCache: true })
    },
    createAuthSchema: () => app.ensureSystemSchema(),
    close: () => connection.driver.end({ timeout: 0 }),
  }
}

/** postgres.js creates its sockets itself unless it is given a connected one; its types do not declare that. */
function watchedSocket(onLost: () => void): object {
  return {
    socket: ({ path, host, port }: { path?: string; host: string[]; port: number[] }) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = path ? connect(path) : connect(port[0] ?? 5432, host[0])
        socket.setNoDelay(true)
        socket.once('connect', () => resolve(socket))
        socket.once('error', (error) => {
          reject(error)
          onLost()
        })
        socket.once('end', () => socket.writableEnded || onLost())
      }),
  }
}

/**
 * `@supabase/lite` reads the schema once; whatever it does not find may have been created since, in `psql` or a test.
 */
async function noticeNewRelation(connection: LiteConnection, request: Request): Promise<void> {
  const [, rpc, name] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(new URL(request.url).pathname) ?? []
  if (name === undefined) return
  const { tables, views, functions } = await connection.introspect({ useCache: true })
  const known: readonly { name: string }[] = rpc ? (functions ?? []) : [...tables, ...views]
  if (!known.some((relation) => relation.name === name)) await connection.clearSchemaCache()
}

/** Statuses for a function whose arguments or volatility have changed: refused before anything was done. */
const mayBeStale = [300, 404, 405]

/** Whether this calls one of the application's own functions, which may change while the stack runs. */
function isOfTheApplication({ url, method, headers }: Request): boolean {
  const profile = headers.get(method === 'POST' ? 'content-profile' : 'accept-profile')
  return new URL(url).pathname.startsWith('/rest/v1/rpc/') && profile !== 'askback'
}

/** An answer that may name arguments. */
async function withNames(response: Response): Promise<Response> {
  if (!mayBeStale.includes(response.status)) return response
  const headers = new Headers(response.headers)
  // Names are shorter than their tokens.
  headers.delete('content-length')
  return new Response(writeNames(await response.text()), { status: response.status, headers })
}

function toJsonText(value: unknown): string {
  return unmarkNumbers(typeof value === 'string' ? value : JSON.stringify(value))
}

function fromJsonText(text: string): unknown {
  return JSON.parse(markNumbers(text))
}

/** `2026-11-22 00:09:04.3+00` to `2026-11-22T00:09:04.3+00:00`. */
function toIsoTime(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}
