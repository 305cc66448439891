import { languageTags } from '../words/languages/languages.ts'
import { findTag, type ReaderNames } from '../words/reader.ts'

/** By which a client names the time zone of its user, where it is not in the body. */
export const timeZoneHeader = 'x-askback-timezone'
/** By which a client names the language that its user has chosen, such as `de` or `de-AT`. */
export const languageHeader = 'x-askback-language'

const longest = 64

/** The name of a time zone, such as `Europe/Berlin`; undefined for anything else. */
export function readTimeZone(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > longest) return undefined
  try {
    new Intl.DateTimeFormat('en', { timeZone: given })
    return given
  } catch {
    return undefined
  }
}

/** What a request says of who reads its answer. */
export type RequestReader = Pick<ReaderNames, 'client' | 'accepted'>

export function readReader(headers: Headers): RequestReader {
  return {
    client: {
      language: findTag([headers.get(languageHeader)], languageTags()),
      timeZone: readTimeZone(headers.get(timeZoneHeader)),
    },
    accepted: headers.get('accept-language'),
  }
}

/** With the time zone that the body names, which counts for more than the header's. */
export function withTimeZone(
  { client, accepted }: RequestReader = { client: {} },
  timeZone: string | undefined,
): RequestReader {
  return { accepted, client: { ...client, timeZone: timeZone ?? client.timeZone } }
}
