import { useEffect, useMemo, useState } from 'react'
import { showNumber } from '../../../shared/words/locale.ts'
import type { Labels } from '../../labels/en.ts'
import { type DurationLabels, showSeconds, useSecondsUntil } from '../cards/wait-card.tsx'
import { useSay } from '../interaction/announcer.tsx'
import { useLabels } from '../labels/use-labels.ts'
import type { CallView } from './call-view.ts'

/** How long a call took, or has taken so far. */
export function CallTime({ calls }: { calls: readonly CallView[] }) {
  const labels = useLabels()
  const isRunning = calls.some(({ state }) => state === 'running')
  const elapsed = useSecondsSince(isRunning)
  const waits = useCountdown(calls.find(({ state, waitMs }) => state === 'running' && waitMs)?.waitMs)
  const isWaiting = waits > 0
  const say = useSay()
  // Once: a timer that counts is silent.
  useEffect(() => {
    if (isWaiting) say(labels.tryingAgainIn(showSeconds(waits, labels)))
  }, [isWaiting])
  const took = calls.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)
  if (isWaiting)
    return (
      // No timer inside: it would be left out of the button's name.
      <span className="askback-time">{labels.tryingAgainIn(showSeconds(waits, labels))}</span>
    )
  const words = isRunning
    ? elapsed > 0 && showSeconds(elapsed, labels)
    : took > 0 && describeTook(took, labels)
  return words ? <span className="askback-time">{words}</span> : null
}

/** Whole seconds left, counted from when this page learned of the wait. */
function useCountdown(waitMs: number | undefined): number {
  const until = useMemo(() => new Date(Date.now() + (waitMs ?? 0)).toISOString(), [waitMs])
  return useSecondsUntil(until)
}

/** `0.3 s`, `12 s`, `2 min 5 s`. */
function describeTook(ms: number, labels: DurationLabels & Pick<Labels, 'lessThan'>): string {
  const digits = ms < 9_950 ? 1 : 0
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const seconds = (value: number) => labels.seconds(showNumber(value, options, labels.locale))
  if (ms < 100) return labels.lessThan(seconds(0.1))
  return ms < 59_500 ? seconds(ms / 1000) : showSeconds(Math.round(ms / 1000), labels)
}

/** Whole seconds since it started on this page. */
function useSecondsSince(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!isRunning) return
    const began = Date.now()
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - began) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}
