import { dateKey } from '../../provenance/guessable-value.ts'
import type { Run } from '../run/run.ts'

const msPerHour = 3_600_000
/** The time zones that are farthest from UTC. */
const zones = [-12, 0, 14]

/** The date of today as `dateKey` writes it, in each time zone that could be meant. */
export function datesOfToday({ clock }: Run): string[] {
  const now = clock.now()
  return zones.map((hours) => dateKey(new Date(now + hours * msPerHour).toISOString().slice(0, 10)))
}
