import { createContext, useContext } from 'react'

/** When messages were written, by their ids: beside the messages, so that a new time draws no message again. */
export const MessageTimes = createContext<Readonly<Record<string, string>>>({})

/** When a message was written: the time of today, the day of others; all of it for whoever points at it. */
export function MessageTime({ id }: { id: string }) {
  const at = useContext(MessageTimes)[id]
  if (at === undefined) return null
  const date = new Date(at)
  return (
    <time
      className="message-time"
      dateTime={date.toISOString()}
      title={date.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' })}
    >
      {describeTime(date)}
    </time>
  )
}

/**
 * A moment as it is said now.
 *
 * @example
 * describeTime(new Date(2026, 10, 23, 9, 5), new Date(2026, 10, 23, 12)) // => '09:05'
 * describeTime(new Date(2026, 10, 20, 9, 5), new Date(2026, 10, 23, 12)) // => '20 Nov, 09:05'
 * describeTime(new Date(2025, 10, 20, 9, 5), new Date(2026, 10, 23, 12)) // => '20 Nov 2025, 09:05'
 */
export function describeTime(date: Date, now = new Date()): string {
  const time = date.toLocaleTimeString('en-GB', { timeStyle: 'short' })
  if (date.toDateString() === now.toDateString()) return time
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })}, ${time}`
}
