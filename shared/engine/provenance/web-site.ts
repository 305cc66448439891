import { getDomain } from 'tldts'

/**
 * The site of a URL: its registrable domain by the public suffix list including its private section, so that
 * `ada.github.io` and `eve.github.io` are two. A host without one (an IP address, `localhost`) is its own site; another
 * port is another site.
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
