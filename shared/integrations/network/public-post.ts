import { request } from 'undici'
import { createCheckedAgent } from './public-connection.ts'
import { mayConnect, readPublicUrl } from './public-url.ts'
import { RefusedPage } from './refused-page.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'

export interface PublicPostSettings {
  /** Allows this machine itself, on any port and without TLS: only on a laptop (`ASKBACK_ALLOW_PRIVATE_HOSTS`). */
  allowLoopback: boolean
  signal: AbortSignal
  /** Called once there is a connection: from then on, something may have been sent. */
  onConnect?: () => void
  /** Resolves names; uses the system if absent. */
  resolve?: Resolve
}

/**
 * Sends a body to a public address over TLS, and resolves to the HTTP status; what is answered is not read. A redirect is an
 * answer like any other: nothing is sent to where it leads. Rejects with RefusedPage for an address that is not public,
 * whatever its name resolves to, or with the failure of the connection.
 */
export async function postPublic(
  address: string,
  headers: Record<string, string>,
  body: string,
  { allowLoopback, signal, onConnect, resolve = resolveBySystem }: PublicPostSettings,
): Promise<number> {
  const url = readPublicUrl(address, allowLoopback)
  if (url.protocol !== 'https:' && !allowLoopback) throw new RefusedPage('scheme', url.host)
  const dispatcher = createCheckedAgent(mayConnect(allowLoopback), resolve)
  if (onConnect) dispatcher.on('connect', onConnect)
  try {
    const response = await request(url, { method: 'POST', dispatcher, signal, headers, body })
    response.body.on('error', () => {})
    response.body.destroy()
    return response.statusCode
  } finally {
    dispatcher.destroy().catch(() => {})
  }
}
