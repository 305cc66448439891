import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { RefusedPage } from './refused-page.ts'

/** The addresses that a name stands for right now. Rejects like `dns.lookup`. */
export type Resolve = (host: string) => Promise<string[]>

/** Most addresses of one host that are tried in turn. */
const maxAddresses = 3
/** Milliseconds to reach one address, with the handshake of TLS. */
const connectTimeoutMs = 5_000

/** Asks the system; IPv4 first, because many hosts of functions have no way to IPv6. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address)
}

/**
 * Connections to addresses that pass a check. A name is resolved once for each connection, every address that it
 * stands for is checked, and what is connected to is such an address, never the name: an answer that changes
 * afterwards (rebinding) is not asked for. Independent of what a runtime makes of `lookup`. A name with one address
 * that does not pass is refused: RefusedPage is the cause of the failed request then. Destroy it after use.
 */
export function createCheckedAgent(mayConnect: (address: string) => boolean, resolve: Resolve): Agent {
  const connectTo = buildConnector({ timeout: connectTimeoutMs })

  async function connect(options: buildConnector.Options) {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await resolve(host)
    if (addresses.length === 0 || !addresses.every(mayConnect)) {
      throw new RefusedPage('private', host)
    }
    // The certificate is that of the name.
    const servername = isIP(host) ? '' : host
    let failure: unknown
    for (const hostname of addresses.slice(0, maxAddresses)) {
      try {
        return await new Promise<Parameters<buildConnector.Callback>[1]>((done, fail) =>
          connectTo({ ...options, hostname, servername }, (error, socket) =>
            error ? fail(error) : done(socket),
          ),
        )
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  return new Agent({
    connect: (options, callback) => {
      connect(options).then(
        (socket) => callback(...([null, socket] as Parameters<buildConnector.Callback>)),
        (error) => callback(error, null),
      )
    },
  })
}
