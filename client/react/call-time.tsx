import { useEffect, useMemo, useState } from 'react'
import { showNumber } from '../locale.ts'
import type { CallView } from './call-view.ts'
import { inWords, useSecondsUntil } from './wait-card.tsx'

/** How long a call took, or is taking. */
export function CallTime({ calls }: { calls: readonly CallView[] }) {
  const isRunning = calls.some(({ state }) => state === 'running')
  const elapsed = useSecondsSince(isRunning)
  const waits = useCountdown(calls.find(({ state, waitMs }) => state === 'running' && waitMs)?.waitMs)
  const took = calls.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)
  if (waits > 0)
    return (
      <span className="askback-time">
        Trying again in <span role="timer">{inWords(waits)}</span>
      </span>
    )
  const words = isRunning ? elapsed > 0 && `${elapsed} s` : took > 0 && describeTook(took)
  return words ? <span className="askback-time">{words}</span> : null
}

/** Whole seconds that are left of a wait, from when this page hears of it. */
function useCountdown(waitMs: number | undefined): number {
  const until = useMemo(() => new Date(Date.now() + (waitMs ?? 0)).toISOString(), [waitMs])
  return useSecondsUntil(until)
}

/** `0.3 s`, `12 s`, `2 min 5 s`. */
function describeTook(ms: number): string {
  const digits = ms < 9_950 ? 1 : 0
  const seconds = (value: number) =>
    showNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (ms < 100) return `< ${seconds(0.1)} s`
  if (ms < 60_000) return `${seconds(ms / 1000)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** Whole seconds since it began, as this page has seen it. */
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
