import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { RefusedPage } from './refused-page.ts'
import { mostAddresses, type Resolve } from './resolve.ts'

/** Milliseconds to connect to one address, including the TLS handshake. */
const connectTimeoutMs = 5_000

/**
 * An agent that only connects to addresses that pass a check. A name is resolved once per connection, every address it
 * resolves to is checked, and the connection goes to one of these addresses, never to the name: an answer that changes
 * later (DNS rebinding) has no effect. Works however the runtime treats `lookup`. If any address of a name fails the
 * check, the request fails with RefusedPage as its cause. Destroy the agent after use.
 */
export function createCheckedAgent(mayConnect: (address: string) => boolean, resolve: Resolve): Agent {
  const connectTo = buildConnector({ timeout: connectTimeoutMs })

  async function connect(options: buildConnector.Options) {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await resolve(host)
    if (addresses.length === 0 || !addresses.every(mayConnect)) {
      throw new RefusedPage('private', host)
    }
    // The certificate is for the name.
    const servername = isIP(host) ? '' : host
    let failure: unknown
    for (const hostname of addresses.slice(0, mostAddresses)) {
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
