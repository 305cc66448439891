import { isLoopbackAddress, isPublicAddress } from './public-address.ts'
import { RefusedPage } from './refused-page.ts'

/**
 * Names that lead to this machine or into its network wherever they are resolved (RFC 6761, 6762, 8375, 9476; the
 * metadata services of clouds). Any other is judged by the addresses that it stands for.
 */
const privateNames =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|alt|onion|test|invalid)$/

/**
 * Reads an address on the web that comes from outside. It is http or https on its usual port, without user name and
 * password, and its host is no private name and no private IP address in any spelling; the parser of URLs has made
 * one of them by then (decimal, octal, hexadecimal, shortened, full-width). What a name stands for is checked when it
 * is connected to. `allowLoopback` lets this machine itself pass, and any port. Throws RefusedPage.
 *
 * @example
 * readPublicUrl('https://example.com/a', false).hostname // => 'example.com'
 */
export function readPublicUrl(address: string | URL, allowLoopback: boolean): URL {
  const url = typeof address === 'string' ? parse(address) : address
  const { protocol, hostname, port, username, password } = url
  const host = hostname.replace(/(?<!\.)\.+$/, '')
  if (protocol !== 'http:' && protocol !== 'https:') throw new RefusedPage('scheme', host)
  if (username !== '' || password !== '') throw new RefusedPage('userinfo', host)
  if (!isReadableHost(host, allowLoopback)) throw new RefusedPage('private', host)
  if (port !== '' && !allowLoopback) throw new RefusedPage('port', host)
  return url
}

/** Which addresses may be connected to: public ones, and, where it is allowed, this machine itself. */
export function mayConnect(allowLoopback: boolean): (address: string) => boolean {
  return (address) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
}

function parse(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    throw new RefusedPage('not_a_url', address, { cause })
  }
}

/** A name without a dot is looked for in the network of the machine. */
function isReadableHost(host: string, allowLoopback: boolean): boolean {
  const ip = host.startsWith('[') ? host.slice(1, -1) : /^[\d.]+$/.test(host) ? host : undefined
  if (ip !== undefined) return mayConnect(allowLoopback)(ip)
  if (allowLoopback && /(?:^|\.)localhost$/.test(host)) return true
  return host.includes('.') && !privateNames.test(host)
}
