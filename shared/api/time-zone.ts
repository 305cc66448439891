/** By which a client names the time zone of its user, where it is not in the body. */
export const timeZoneHeader = 'x-askback-timezone'

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
