import { resultsBeside } from '../../provenance/free-places.ts'
import { readPlace } from '../../provenance/web-address.ts'
import { siteOf } from '../../provenance/web-site.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'
import { nameOf, sourceOf } from './origin-reason.ts'

/** The question about addresses that the user has not named, and every address that a yes allows. */
export function questionAboutAddresses(
  run: Run,
  asked: readonly string[],
): { question: string; addresses: string[]; values: Record<string, unknown> } {
  const evidence = evidenceOf(run)
  const addresses = [...new Set(asked)]
  const [it, named] = addresses.length === 1 ? ['it', 'this address'] : ['them', 'these addresses']
  const question = `Question: Should I read ${quote(addresses)}? You did not name ${it}`
  const [privateRead] = evidence.privateReads
  if (privateRead === undefined) {
    const read = addresses.map(readPlace).filter((address) => address !== undefined)
    const sites = [...new Set(read.map(siteOf))]
    const more = `A yes also allows other pages of ${sites.join(', ')} in this conversation.`
    return {
      question: `${question}, and whoever runs the site will see the address. ${more}`,
      addresses,
      values: { addresses, sites },
    }
  }
  const beside = resultsBeside(addresses, evidence)
  const others = beside.length === 0 ? '' : ` and the other results of the search: ${quote(beside)}`
  const because = `and ${nameOf(privateRead, run.specifications)} has shown private data, which an address can carry to whoever runs the site`
  return {
    question: `${question}, ${because}. A yes allows only ${named}${others}.`,
    addresses: [...addresses, ...beside],
    values: { addresses, privateRead: sourceOf(privateRead, run.specifications), others: beside },
  }
}

function quote(addresses: readonly string[]): string {
  return addresses.map((address) => JSON.stringify(address)).join(', ')
}
