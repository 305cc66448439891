/** How somebody waits between tries. */
interface Backoff {
  /** Milliseconds before the second try. */
  baseMs: number
  /** Milliseconds that no wait exceeds, unless it was asked for. */
  longestMs?: number
  /** What the other side asked for (`Retry-After`), in milliseconds: it comes first. */
  askedMs?: number | undefined
  /** At least 0, less than 1: half of a wait is left to chance, so that many who wait do not come back at once. */
  chance?: number
}

/**
 * Milliseconds to wait before the next try when `tries` have been made: what was asked for, else `baseMs` doubled
 * with each try. Without `chance` it is the whole of it, for polls.
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
