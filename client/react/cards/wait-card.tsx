import { useEffect, useState } from 'react'
import { showNumber } from '../../../shared/words/locale.ts'
import type { Labels } from '../../labels/en.ts'
import { withoutMark } from '../../values/sentence.ts'
import { SentenceWith } from '../labels/sentence-with.tsx'
import { useLabels } from '../labels/use-labels.ts'

/** A wait that ends by itself, with the time left. */
export function WaitCard({ sentence, resumeAt }: { sentence: string; resumeAt: string }) {
  const labels = useLabels()
  const left = useSecondsUntil(resumeAt)
  return (
    <div className="askback-card askback-wait">
      <p dir="auto">{withoutMark(sentence)}</p>
      <p className="askback-quiet">
        {left > 0 ? (
          <SentenceWith of={labels.tryingAgainIn}>
            <span role="timer">{showSeconds(left, labels)}</span>
          </SentenceWith>
        ) : (
          labels.tryingAgainSoon
        )}
      </p>
    </div>
  )
}

/** Whole seconds until then, updated every second. */
export function useSecondsUntil(time: string): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    setLeft(secondsLeft())
    if (secondsLeft() === 0) return
    const timer = setInterval(() => setLeft(secondsLeft()), 1000)
    return () => clearInterval(timer)
  }, [time])
  return left
}

/** `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function showSeconds(seconds: number, labels: DurationLabels): string {
  const show = (value: number) => showNumber(Math.floor(value), {}, labels.locale)
  if (seconds < 60) return labels.seconds(show(seconds))
  if (seconds < 3600) return labels.minutes(show(seconds / 60), show(seconds % 60))
  return labels.hours(show(seconds / 3600), show((seconds % 3600) / 60))
}

export type DurationLabels = Pick<Labels, 'locale' | 'seconds' | 'minutes' | 'hours'>
