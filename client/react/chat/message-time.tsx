import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { showDate, showMomentOfYear } from '../../../shared/words/locale.ts'
import { useLabels } from '../labels/use-labels.ts'

type Times = Readonly<Record<string, string>>

/** When messages were written, by id. */
class KnownTimes {
  times: Times = {}
  readonly listeners = new Set<() => void>()

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
}

const Known = createContext(new KnownTimes())

/** Provides the times to the messages below; only those whose time has changed render again. */
export function MessageTimes({ times, children }: { times: Times; children: ReactNode }) {
  const [known] = useState(() => new KnownTimes())
  // Children rendered now need them immediately.
  known.times = times
  useEffect(() => {
    for (const listener of known.listeners) listener()
  }, [known, times])
  return <Known.Provider value={known}>{children}</Known.Provider>
}

/** When a message was written: today's time, or the day; the full date on hover. */
export function MessageTime({ id }: { id: string }) {
  const { locale } = useLabels()
  const known = useContext(Known)
  const at = useSyncExternalStore(known.subscribe, () => known.times[id])
  if (at === undefined) return null
  const date = new Date(at)
  return (
    <time
      className="askback-message-time"
      dateTime={date.toISOString()}
      title={showDate(date, 'fullMoment', locale)}
    >
      {describeTime(date, new Date(), locale)}
    </time>
  )
}

/**
 * A moment relative to now.
 *
 * @example
 * describeTime(new Date(2026, 10, 23, 9, 5), new Date(2026, 10, 23, 12), 'en-GB') // => '09:05'
 * describeTime(new Date(2026, 10, 20, 9, 5), new Date(2026, 10, 23, 12), 'en-GB') // => '20 Nov, 09:05'
 * describeTime(new Date(2025, 10, 20, 9, 5), new Date(2026, 10, 23, 12), 'en-GB') // => '20 Nov 2025, 09:05'
 */
export function describeTime(date: Date, now: Date, locale: string): string {
  if (date.toDateString() === now.toDateString()) return showDate(date, 'time', locale)
  return date.getFullYear() === now.getFullYear()
    ? showMomentOfYear(date, locale)
    : showDate(date, 'moment', locale)
}
