import untypedParser from 'robots-parser'
import {
  FailedPage,
  fetchPublicPage,
  type PublicFetchSettings,
  userAgent,
} from '../../../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'
import { OutOfTime, type ParseTime } from './parse-time.ts'

/** The types of the package are not those of its default export on every runtime. */
const parseRobots = untypedParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, userAgent: string): boolean | undefined }

/** Milliseconds to answer for a site's rules. */
const timeoutMs = 5_000
/** Characters of the rules that are read: matching grows with them and with the address. */
const longestRules = 50_000

/**
 * Whether sites let programs read their pages (`robots.txt`, RFC 9309): each site is asked once. One without rules
 * allows all, one whose server fails allows nothing. Rejects with RefusedPage where a page may not be read, and with
 * OutOfTime.
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
    // Another answer than rules is none; a site that cannot be reached at all fails by itself.
    const isBroken = cause instanceof FailedPage && cause.httpStatus >= 500
    return () => !isBroken
  }
}

/** A rule that is cut off would mean more than it says. */
function wholeLines(text: string): string {
  return text.length <= longestRules ? text : text.slice(0, text.lastIndexOf('\n', longestRules) + 1)
}
