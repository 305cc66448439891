import type { Cron } from 'croner'

/** How many next times people are told. */
export const shownTimes = 3

/** When a schedule is due. */
export interface Times {
  /** Five parts. */
  cron: string
  /** IANA. */
  timeZone: string
  /** ISO 8601; nothing is due after it. */
  until?: string | null | undefined
}

/**
 * The next times of a schedule after a moment, at most `count`, in ISO 8601; undefined if the expression cannot be read.
 * A time that the clocks skip in spring is due when they have, one that they repeat in autumn is due once.
 *
 * @example
 * await nextTimes({ cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }, new Date('2026-11-29T12:00:00Z'), 1)
 * // => ['2026-11-30T08:00:00.000Z']
 */
export async function nextTimes(
  { cron, timeZone, until }: Times,
  after: Date,
  count: number,
): Promise<string[] | undefined> {
  // Loaded here: few requests need it, and all of them would wait for it.
  const { Cron: Expression } = await import('croner')
  let expression: Cron
  try {
    expression = new Expression(cron, { timezone: timeZone, mode: '5-part', paused: true })
  } catch {
    return undefined
  }
  const times = expression.nextRuns(count, after).map((time) => time.toISOString())
  const end = until ? new Date(until).toISOString() : undefined
  return end === undefined ? times : times.filter((time) => time <= end)
}
