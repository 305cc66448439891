import { useEffect, useState } from 'react'
import { ownLanguage, showDate } from '../locale.ts'
import type { Pending } from '../message.ts'

/** Seconds of each unit, the largest first. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const words = new Intl.RelativeTimeFormat(ownLanguage, { numeric: 'always' })

/** How long ago it was asked, and until when it can be decided. */
export function AskedAt({
  pending: { askedAt, expiresAt },
}: {
  pending: Pick<Pending, 'askedAt' | 'expiresAt'>
}) {
  const now = useMinutes()
  return (
    <p className="askback-quiet askback-asked-at">
      Asked <Moment time={askedAt} now={now} />
      {expiresAt && (
        <>
          {' · '}
          {Date.parse(expiresAt) > now ? 'Expires' : 'Expired'} <Moment time={expiresAt} now={now} />
        </>
      )}
    </p>
  )
}

function Moment({ time, now }: { time: string; now: number }) {
  const exact = showDate(time, 'moment')
  return (
    <time dateTime={time} title={exact}>
      {fromNow(Date.parse(time), now)}
    </time>
  )
}

/** `5 minutes ago`, `in 7 days`: in the largest unit that there is one of; below a minute `just now`. */
export function fromNow(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000)
  const unit = units.find(([, size]) => Math.abs(seconds) > size * 0.95)
  return unit ? words.format(Math.round(seconds / unit[1]), unit[0]) : 'just now'
}

/** The time, once a minute. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
