/**
 * IPv4 networks that are not the public internet (IANA special-purpose registry), as first address and prefix
 * length: this host, private, carrier NAT, loopback, link-local, IETF, documentation, 6to4 relays, benchmarks,
 * multicast, reserved; and the one address of a cloud's own services (Azure) outside of these.
 */
const specialIPv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Inside 2000::/3, the only unicast space in use: IETF protocols (Teredo), documentation, 6to4. */
const specialIPv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** True if an IP address belongs to the public internet; false for anything else, including host names. */
export function isPublicAddress(address: string): boolean {
  if (!address.includes(':')) {
    const bits = ipv4Bits(address)
    return (
      bits !== undefined &&
      !specialIPv4.some(([network, length]) => startsWith(bits, ipv4Bits(network), length))
    )
  }
  const bits = ipv6Bits(address)
  if (bits === undefined) return false
  // IPv4-mapped (::ffff:0:0/96): the packet goes to the IPv4 address.
  if (/^0{80}1{16}/.test(bits)) return isPublicAddress(dotted(bits.slice(96)))
  return (
    bits.startsWith('001') &&
    !specialIPv6.some(([network, length]) => startsWith(bits, ipv6Bits(network), length))
  )
}

/** True for an address of this machine itself: 127.0.0.0/8, also IPv4-mapped, and ::1. */
export function isLoopbackAddress(address: string): boolean {
  if (!address.includes(':')) return ipv4Bits(address)?.startsWith('01111111') ?? false
  const bits = ipv6Bits(address) ?? ''
  return /^0{127}1$/.test(bits) || /^0{80}1{16}01111111/.test(bits)
}

function startsWith(bits: string, network: string | undefined, length: number): boolean {
  return network !== undefined && bits.startsWith(network.slice(0, length))
}

/** Plain dotted decimal only: no octal, hexadecimal or shortened forms. */
function ipv4Bits(address: string): string | undefined {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('')
}

function ipv6Bits(address: string): string | undefined {
  let normal: string
  try {
    normal = new URL(`http://[${address}]`).hostname.slice(1, -1)
  } catch {
    return undefined
  }
  const [before = '', after] = normal.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? [] : new Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')
}

function dotted(bits: string): string {
  return [0, 8, 16, 24].map((start) => Number.parseInt(bits.slice(start, start + 8), 2)).join('.')
}
