import robotsParser from 'robots-parser'
import {
  FailedPage,
  fetchPublicPage,
  type PublicFetchSettings,
  userAgent,
} from '../../../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'

/** Milliseconds to answer for a site's rules. */
const timeoutMs = 5_000

/**
 * Whether sites let programs read their pages (`robots.txt`, RFC 9309): each site is asked once. One without rules
 * allows all, one whose server fails allows nothing. Rejects with RefusedPage where a page may not be read.
 */
export function createRobots(settings: PublicFetchSettings): (url: URL) => Promise<void> {
  const rules = new Map<string, Promise<(url: URL) => boolean>>()
  return async (url) => {
    const { origin, host } = url
    const known = rules.get(origin) ?? loadRules(origin, settings)
    rules.set(origin, known)
    if (!(await known)(url)) throw new RefusedPage('robots', host)
  }
}

async function loadRules(origin: string, settings: PublicFetchSettings): Promise<(url: URL) => boolean> {
  const address = `${origin}/robots.txt`
  const signal = AbortSignal.any([settings.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { bytes } = await fetchPublicPage(address, { ...settings, signal })
    const robots = robotsParser(address, new TextDecoder().decode(bytes))
    return (url) => robots.isAllowed(url.href, userAgent) !== false
  } catch (cause) {
    // Another answer than rules is none; a site that cannot be reached at all fails by itself.
    const isBroken = cause instanceof FailedPage && cause.httpStatus >= 500
    return () => !isBroken
  }
}
