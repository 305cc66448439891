import { readJsonOrText } from '../../../shared/engine/core/json-value.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import type { Effect } from '../../../shared/engine/core/tool-specification.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type { OpenConnection } from '../../../shared/server/connections/stored-connection.ts'
import { connectionFailure, type GoogleReply, googleFailure } from './google-failure.ts'

/** A request that has not arrived by then never will: Google's own front ends give up much earlier. Milliseconds. */
export const lateMs = 10 * 60 * 1000

/** The URLs of the two services; tests and the simulator replace them. */
export interface GoogleHosts {
  docs: string
  drive: string
}

export function readGoogleHosts(env: Environment): GoogleHosts {
  return {
    docs: env.GOOGLE_DOCS_API_BASE_URL || 'https://docs.googleapis.com',
    drive: env.GOOGLE_DRIVE_API_BASE_URL || 'https://www.googleapis.com',
  }
}

export interface GoogleRequest {
  method: string
  /** After the host, with its query. */
  path: string
  body?: string
  contentType?: string
}

/** Typed fetch instead of Google's packages: six methods are used, and loading the packages would double the cold start. */
export interface GoogleClient {
  /** A read; rejects with ToolCallError. */
  get(host: keyof GoogleHosts, path: string): Promise<unknown>
  getText(host: keyof GoogleHosts, path: string): Promise<string>
  /** A write. Resolves to a refusal (4xx), rejects with ToolCallError if the outcome is unknown. */
  change(host: keyof GoogleHosts, request: GoogleRequest): Promise<GoogleReply>
}

/** Calls Google as the user, within the time that an integration has for its provider. */
export function createGoogleClient(
  hosts: GoogleHosts,
  connection: OpenConnection,
  signal: AbortSignal,
): GoogleClient {
  const limit = AbortSignal.timeout(timeouts.providerMs)
  // A write that has started runs to its end, even if nobody is waiting any more.
  const limits = { read: AbortSignal.any([signal, limit]), write: limit }

  const send = async (host: keyof GoogleHosts, request: GoogleRequest, token: string, effect: Effect) => {
    const { method, path, body, contentType = 'application/json' } = request
    try {
      const response = await fetch(`${hosts[host]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
        ...(body === undefined ? {} : { body: new Blob([body]) }),
        redirect: 'error',
        signal: limits[effect],
      })
      return { response, text: await response.text() }
    } catch (cause) {
      throw connectionFailure(cause, effect)
    }
  }

  const ask = async (host: keyof GoogleHosts, request: GoogleRequest, effect: Effect) => {
    const token = await connection.accessToken()
    const answer = await send(host, request, token, effect)
    if (answer.response.status !== 401) return answer
    // Revoked, or expired by Google's clock: refused before anything was done, so a new token may be tried once.
    const other = await connection.accessToken({ instead: token })
    return other === token ? answer : await send(host, request, other, effect)
  }

  const getText = async (host: keyof GoogleHosts, path: string) => {
    const { response, text } = await ask(host, { method: 'GET', path }, 'read')
    if (!response.ok) throw googleFailure(replyOf(response, text), 'read')
    return text
  }

  return {
    getText,
    async get(host, path) {
      return jsonOf(await getText(host, path), 'read')
    },
    async change(host, request) {
      const { response, text } = await ask(host, request, 'write')
      const reply = replyOf(response, text)
      if (response.status >= 500 || response.status === 408) throw googleFailure(reply, 'write')
      return response.ok ? { ...reply, body: jsonOf(text, 'write') } : reply
    },
  }
}

/** A success that is not JSON comes from a proxy in between. */
function jsonOf(text: string, effect: Effect): unknown {
  const json = readJsonOrText(text)
  if (typeof json === 'object' && json !== null) return json
  throw googleFailure({ status: 502, headers: new Headers(), body: '' }, effect)
}

function replyOf({ status, headers }: Response, text: string): GoogleReply {
  return { status, headers, body: readJsonOrText(text) }
}
