import { resultsBeside } from '../provenance/open-places.ts'
import { siteOf } from '../provenance/web-site.ts'
import { projectEvidence } from '../transcript/evidence.ts'
import { nameOf } from './origin-reason.ts'
import type { Run } from './run.ts'

/** The question about addresses that the user has not named, and every address that a yes opens. */
export function askAddresses(run: Run, asked: readonly string[]): { question: string; addresses: string[] } {
  const evidence = projectEvidence(run.entries, run.specifications, run.files)
  const addresses = [...new Set(asked)]
  const [it, named] = addresses.length === 1 ? ['it', 'this address'] : ['them', 'these addresses']
  const question = `Question: Should I read ${quote(addresses)}? You have not named ${it}`
  const [privateRead] = evidence.privateReads
  if (privateRead === undefined) {
    const sites = [...new Set(addresses.filter((address) => URL.canParse(address)).map(siteOf))]
    const opens = `A yes opens ${sites.join(', ')} for this conversation.`
    return { question: `${question}, and whoever runs the site sees the address. ${opens}`, addresses }
  }
  const beside = resultsBeside(addresses, evidence)
  const others = beside.length === 0 ? '' : ` and the other results of the search: ${quote(beside)}`
  const because = `and ${nameOf(privateRead, run.specifications)} has shown private data, which an address can carry to whoever runs the site`
  return {
    question: `${question}, ${because}. A yes opens ${named}${others}, and nothing else.`,
    addresses: [...addresses, ...beside],
  }
}

function quote(addresses: readonly string[]): string {
  return addresses.map((address) => JSON.stringify(address)).join(', ')
}
