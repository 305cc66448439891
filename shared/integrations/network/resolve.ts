import { lookup } from 'node:dns/promises'

/** Maximum number of addresses of one host to try. */
export const mostAddresses = 3

/** The addresses that a name resolves to right now. Rejects like `dns.lookup`. */
export type Resolve = (host: string) => Promise<string[]>

/** Uses the system resolver; IPv4 first, because many function hosts have no IPv6 route. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address)
}
