import { useEffect, useState } from 'react'
import { showDate, showRelative } from '../../../shared/words/locale.ts'
import type { Pending } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { SentenceWith } from '../labels/sentence-with.tsx'
import { useLabels } from '../labels/use-labels.ts'

/** Seconds per unit, largest first. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago it was asked, and when it expires. */
export function AskedAt({
  pending: { askedAt, expiresAt },
}: {
  pending: Pick<Pending, 'askedAt' | 'expiresAt'>
}) {
  const labels = useLabels()
  const now = useMinutes()
  return (
    <p className="askback-quiet askback-asked-at">
      <SentenceWith of={labels.askedWhen}>
        <Moment time={askedAt} now={now} />
      </SentenceWith>
      {expiresAt && (
        <>
          {' · '}
          <SentenceWith of={Date.parse(expiresAt) > now ? labels.expiresWhen : labels.expiredWhen}>
            <Moment time={expiresAt} now={now} />
          </SentenceWith>
        </>
      )}
    </p>
  )
}

function Moment({ time, now }: { time: string; now: number }) {
  const labels = useLabels()
  const exact = showDate(time, 'moment', labels.locale)
  return (
    <time dateTime={time} title={exact}>
      {fromNow(Date.parse(time), now, labels)}
    </time>
  )
}

/** `5 minutes ago`, `in 7 days`: in the largest unit that fits; `just now` below a minute. */
export function fromNow(
  time: number,
  now: number,
  { justNow, locale }: Pick<Labels, 'justNow' | 'locale'>,
): string {
  const seconds = Math.round((time - now) / 1000)
  const unit = units.find(([, size]) => Math.abs(seconds) > size * 0.95)
  return unit ? showRelative(Math.round(seconds / unit[1]), unit[0], locale, 'always') : justNow
}

/** The current time, updated every minute. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
