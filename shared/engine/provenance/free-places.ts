import type { FreePlaces } from '../core/tool-specification.ts'
import type { Evidence, Words } from './evidence.ts'
import { namesWebAddress, readPlace, readWebAddress, sameStartPage, webAddressesIn } from './web-address.ts'
import { siteOf } from './web-site.ts'

/** Whether a place on the web may be read: the user has named it, a search found it, or a person opened it. */
export function isFreePlace(value: string, evidence: Evidence, said: readonly Words[]): boolean {
  const address = readPlace(value)
  if (address === undefined) return false
  const { sites, addresses } = openedPlaces(evidence)
  if (addresses.includes(address) || sites.includes(siteOf(address))) return true
  return isNamedPlace(value, said)
}

/** Whether somebody's words name a place on the web. */
export function isNamedPlace(value: string, said: readonly Words[]): boolean {
  const address = readPlace(value)
  const named = address === undefined ? [] : sameStartPage(address)
  return named
    .map((one) => namesWebAddress(one, readWebAddress))
    .some((isNamedIn) => said.some(({ text, except }) => isNamedIn(text) && !isNamedIn(except)))
}

/** Everything that may be read without asking, and so where a page may redirect to. */
export function freePlaces(evidence: Evidence): FreePlaces {
  const { sites, addresses } = openedPlaces(evidence)
  const named = evidence.said.flatMap(({ text, except }) => {
    const written = webAddressesIn(except)
    return webAddressesIn(text).filter((address) => !written.includes(address))
  })
  return { sites, addresses: [...new Set([...named, ...addresses])] }
}

/** The other results of the searches that found one of these addresses. */
export function resultsBeside(values: readonly string[], { searches }: Evidence): string[] {
  const asked = new Set(values.map(readPlace))
  const lists = searches.filter((results) => results.some((result) => asked.has(result)))
  return [...new Set(lists.flat())].filter((result) => !asked.has(result))
}

/** Once something private was read, the choice of an address can leak it: only addresses that a person saw then are open. */
function openedPlaces({ opened, searches, privateReads }: Evidence): FreePlaces {
  if (privateReads.length > 0) {
    return { sites: [], addresses: opened.flatMap((one) => (one.afterPrivate ? one.addresses : [])) }
  }
  const sites = opened.flatMap(({ addresses }) => addresses.map(siteOf))
  return { sites: [...new Set(sites)], addresses: searches.flat() }
}
