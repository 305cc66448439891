/** Formatting the date is one of the slower steps of a short run. */
let last = { minute: Number.NaN, text: '' }

/**
 * A moment (milliseconds since 1970) in the prompt's format, in UTC to the minute: `2026-11-22T06:12Z`.
 */
export function promptTime(now: number): string {
  const minute = Math.floor(now / 60_000)
  if (minute !== last.minute) last = { minute, text: `${new Date(now).toISOString().slice(0, 16)}Z` }
  return last.text
}
