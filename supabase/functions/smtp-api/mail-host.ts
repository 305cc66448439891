import { isIP } from 'node:net'
import { isPublicAddress } from '../../../shared/integrations/network/public-address.ts'
import { mostAddresses, resolveBySystem } from '../../../shared/integrations/network/resolve.ts'
import { SmtpFailure } from './smtp-failure.ts'

/**
 * The IP addresses to connect to. Resolved once, here, and connected to by address: a name that is checked and
 * then resolved again could lead into a private network. Throws SmtpFailure.
 */
export async function resolveMailHost(host: string, allowPrivateHosts: boolean): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await lookUp(host)
  const usable = allowPrivateHosts ? addresses : addresses.filter(isPublicAddress)
  if (usable.length === 0) throw new SmtpFailure('private_host')
  return usable.slice(0, mostAddresses)
}

function lookUp(host: string): Promise<string[]> {
  return resolveBySystem(host).catch((cause) => {
    throw new SmtpFailure('resolve', { cause })
  })
}
