import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../shared/integrations/network/public-address.ts'
import { SmtpFailure } from './smtp-failure.ts'

/** Maximum number of addresses of one host to try. */
const maxAddresses = 3

/**
 * The IP addresses to connect to. Resolved once, here, and connected to by address: a name that is checked and
 * then resolved again could lead into a private network. Throws SmtpFailure.
 */
export async function resolveMailHost(host: string, allowPrivateHosts: boolean): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await lookUp(host)
  const usable = allowPrivateHosts ? addresses : addresses.filter(isPublicAddress)
  if (usable.length === 0) throw new SmtpFailure('private_host')
  return usable.slice(0, maxAddresses)
}

async function lookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch((cause) => {
    throw new SmtpFailure('resolve', { cause })
  })
  // IPv4 first: many function hosts have no IPv6 route.
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address)
}
