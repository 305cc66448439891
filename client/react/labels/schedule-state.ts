import type { Schedule } from '../../api/types.ts'
import type { ScheduleLabels } from '../../labels/en-schedules.ts'

/** When a schedule is due next, in the reader's zone or with its own, or why it is not. */
export function stateOf({ next: [next], pausedAs, timeZone }: Schedule, words: ScheduleLabels): string {
  if (pausedAs !== null) return words.pausedBy[pausedAs]
  if (next === undefined) return words.over
  const isOwn = timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone
  return words.next(isOwn ? next.text : words.zoned(next.text, timeZone))
}
