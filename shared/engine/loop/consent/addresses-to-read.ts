import { resultsBeside } from '../../provenance/free-places.ts'
import { readPlace } from '../../provenance/web-address.ts'
import { siteOf } from '../../provenance/web-site.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'
import { sourceOf } from './origins.ts'

/** What is asked about addresses that the user has not named, and every address that a yes allows. */
export function addressesToRead(
  run: Run,
  asked: readonly string[],
): { addresses: string[]; values: Record<string, unknown> } {
  const evidence = evidenceOf(run)
  const addresses = [...new Set(asked)]
  const [privateRead] = evidence.privateReads
  if (privateRead === undefined) {
    const read = addresses.map(readPlace).filter((address) => address !== undefined)
    return { addresses, values: { addresses, sites: [...new Set(read.map(siteOf))] } }
  }
  const others = resultsBeside(addresses, evidence)
  return {
    addresses: [...addresses, ...others],
    values: { addresses, privateRead: sourceOf(privateRead, run.specifications), others },
  }
}
