import { isLoopbackAddress, isPublicAddress } from './public-address.ts'
import { RefusedPage } from './refused-page.ts'

/**
 * Names that always lead to this machine or into its network (RFC 6761, 6762, 8375, 9476; the metadata services of
 * clouds). Any other name is judged by the addresses that it resolves to.
 */
const privateNames =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|alt|onion|test|invalid)$/

/**
 * Parses an untrusted URL. It must be http or https on the usual port, without user name and password, and its host
 * must not be a private name or a private IP address in any notation: the URL parser has already normalised decimal,
 * octal, hexadecimal, shortened and full-width ones. What a name resolves to is checked when connecting.
 * `allowLoopback` permits this machine itself, and any port. Throws RefusedPage.
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

/** Which addresses may be connected to: public ones, and, if allowed, this machine itself. */
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

/** A name without a dot is looked up in the machine's own network. */
function isReadableHost(host: string, allowLoopback: boolean): boolean {
  const ip = host.startsWith('[') ? host.slice(1, -1) : /^[\d.]+$/.test(host) ? host : undefined
  if (ip !== undefined) return mayConnect(allowLoopback)(ip)
  if (allowLoopback && /(?:^|\.)localhost$/.test(host)) return true
  return host.includes('.') && !privateNames.test(host)
}
