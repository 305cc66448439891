import untypedParser from 'robots-parser'
import {
  FailedPage,
  fetchPublicPage,
  type PublicFetchSettings,
  userAgent,
} from '../../../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'
import { OutOfTime, type ParseTime } from './parse-time.ts'

/** The package's types do not match its default export on every runtime. */
const parseRobots = untypedParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, userAgent: string): boolean | undefined }

/** Milliseconds for a site's rules to arrive. */
const timeoutMs = 5_000
/** Characters of the rules that are read: matching takes longer with them and with the URL. */
const longestRules = 50_000

/**
 * Whether sites let programs read their pages (`robots.txt`, RFC 9309): each site is asked once. A site without rules
 * allows everything, a site whose server fails allows nothing. Rejects with RefusedPage if a page may not be read, and
 * with OutOfTime.
 */
export function createRobots(settings: PublicFetchSettings, time: ParseTime): (url: URL) => Promise<void> {
  const rules = new Map<string, Promise<(url: URL) => boolean>>()
  return async (url) => {
    const { origin, host } = url
    const known = rules.get(origin) ?? loadRules(origin, settings, time)
    rules.set(origin, known)
    const allows = await known
    if (!time.spend(() => allows(url))) throw new RefusedPage('robots', host)
  }
}

async function loadRules(
  origin: string,
  settings: PublicFetchSettings,
  time: ParseTime,
): Promise<(url: URL) => boolean> {
  const address = `${origin}/robots.txt`
  const signal = AbortSignal.any([settings.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { bytes } = await fetchPublicPage(address, { ...settings, signal })
    const text = wholeLines(new TextDecoder().decode(bytes))
    const robots = time.spend(() => parseRobots(address, text))
    return (url) => robots.isAllowed(url.href, userAgent) !== false
  } catch (cause) {
    if (cause instanceof OutOfTime) throw cause
    // Any other answer means no rules; a site that cannot be reached at all fails later by itself.
    const isBroken = cause instanceof FailedPage && cause.httpStatus >= 500
    return () => !isBroken
  }
}

/** A truncated rule would forbid more than intended. */
function wholeLines(text: string): string {
  return text.length <= longestRules ? text : text.slice(0, text.lastIndexOf('\n', longestRules) + 1)
}
