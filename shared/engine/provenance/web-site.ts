import { getDomain } from 'tldts'

/**
 * Whose site an address is on: its registrable domain by the public suffix list with its private section, so that
 * `ada.github.io` and `eve.github.io` are two. A host that has none (an IP address, `localhost`) is its own; a port of
 * its own is another site.
 *
 * @example
 * siteOf('https://www.example.co.uk/a') // => 'example.co.uk'
 * siteOf('https://ada.github.io/') // => 'ada.github.io'
 */
export function siteOf(address: string | URL): string {
  const { hostname, port } = new URL(address)
  const domain = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
  return port === '' ? domain : `${domain}:${port}`
}
