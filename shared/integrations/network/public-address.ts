import ipaddr from 'ipaddr.js'

/** A cloud's own services (Azure), inside a public range. */
const cloudServices = '168.63.129.16'
/** The only IPv6 unicast space in use. */
const unicastIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** True if an IP address belongs to the public internet; false for anything else, including host names. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? address.toString() !== cloudServices : address.match(unicastIPv6)
}

/** True for an address of this machine itself: 127.0.0.0/8, also IPv4-mapped, and ::1. */
export function isLoopbackAddress(text: string): boolean {
  return readAddress(text)?.range() === 'loopback'
}

/** IPv4 as plain dotted decimal only: no octal, hexadecimal or shortened forms; an IPv4-mapped address becomes IPv4. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
}
