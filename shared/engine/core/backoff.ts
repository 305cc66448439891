/** How to wait between tries. */
interface Backoff {
  /** Milliseconds before the second try. */
  baseMs: number
  /** Milliseconds that no wait exceeds, unless it was requested. */
  longestMs?: number
  /** The wait requested by the other side (`Retry-After`), in milliseconds: it comes first. */
  askedMs?: number | undefined
  /** At least 0, less than 1: half of a wait is random, so that many clients do not come back at once. */
  chance?: number
}

/**
 * Milliseconds to wait before the next try after `tries` tries: the requested wait, else `baseMs` doubled
 * with each try. Without `chance` nothing is random, for polls.
 *
 * @example
 * waitBeforeTry(3, { baseMs: 500 }) // => 2000
 * waitBeforeTry(1, { baseMs: 500, chance: 0 }) // => 250
 * waitBeforeTry(1, { baseMs: 500, askedMs: 4000 }) // => 4000
 */
export function waitBeforeTry(
  tries: number,
  { baseMs, longestMs = Number.POSITIVE_INFINITY, askedMs, chance = 1 }: Backoff,
): number {
  const whole = Math.min(baseMs * 2 ** (tries - 1), longestMs)
  return askedMs ?? Math.round((whole * (1 + chance)) / 2)
}
