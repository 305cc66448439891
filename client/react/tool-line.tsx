import { useEffect, useMemo, useState } from 'react'
import { withoutHidden } from '../hidden-marks.ts'
import { showNumber } from '../locale.ts'
import { showValue, withoutMark } from '../sentence.ts'
import { countFailed } from './failed-parts.ts'
import { asObject, type CallView, listChanges } from './message-blocks.ts'
import { describeRepairs } from './repair-words.ts'
import type { ToolNames } from './tool-names.tsx'
import { inWords as secondsInWords, useSecondsUntil } from './wait-card.tsx'

export const stateWords: Record<CallView['state'], string> = {
  running: 'working',
  done: 'done',
  failed: 'did not work',
  asks: 'waits for you',
  denied: 'You denied this',
  waiting: 'waits',
  over: 'not done',
}

/** One call in one line. */
export function describeCall({ state, errorText, repairs, summary, output }: CallView): string {
  const words = state === 'done' ? describeDone(summary, output) : stateWords[state]
  if ((state === 'failed' || state === 'over') && errorText) return withoutMark(errorText)
  const count = describeRepairs(repairs).length
  if (count === 0) return words
  return `${words}, ${count === 1 ? 'one thing' : `${count} things`} repaired`
}

/** What it did, and what of it did not work. */
function describeDone(summary: string | undefined, output: unknown): string {
  const { failed, total } = countFailed(output)
  const { warning } = asObject(output)
  const done = summary && withoutHidden(summary)
  const problem = failed > 0 && (failed === total ? stateWords.failed : `${failed} of ${total} failed`)
  const words = [done, problem, typeof warning === 'string' && withoutMark(warning)]
  return words.filter(Boolean).join(' · ') || stateWords.done
}

/** Calls of one tool in one line. */
export function describeRun(calls: readonly CallView[]): string {
  const failed = calls.filter(({ state }) => state !== 'done').length
  const partly = calls.filter(
    ({ state, output }) => state === 'done' && countFailed(output).failed > 0,
  ).length
  const words = [
    `${calls.length - failed - partly} done`,
    partly > 0 && `${partly} in part`,
    failed > 0 && `${failed} failed`,
  ]
  return words.filter(Boolean).join(' · ')
}

/** A call that was corrected: what it did; else what was asked about the first attempt, and what is different now. */
export function describeCorrection(attempts: readonly CallView[], names: ToolNames): string {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (!first || !last) return ''
  if (last.state === 'over') return describeCall(last)
  if (last.state !== 'done') return stateWords[last.state]
  if (last.summary !== undefined) return describeDone(last.summary, last.output)
  const asked = shorten(withoutMark(first.errorText ?? ''), longestQuestion)
  const changes = listChanges(first.input, last.input).map(
    ({ name, after }) =>
      `${names.parameter(last.toolName, name)}: ${shorten(withoutHidden(showValue(after)))}`,
  )
  return [asked && `“${asked}”`, changes.join(', ')].filter(Boolean).join(' → ')
}

/** Characters of a value, and of what was asked, in a line. */
const longestValue = 60
const longestQuestion = 120

function shorten(text: string, longest = longestValue): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** How long a call took, or is taking. */
export function CallTime({ calls }: { calls: readonly CallView[] }) {
  const isRunning = calls.some(({ state }) => state === 'running')
  const elapsed = useSecondsSince(isRunning)
  const waits = useCountdown(calls.find(({ state, waitMs }) => state === 'running' && waitMs)?.waitMs)
  const took = calls.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0)
  const words = isRunning ? elapsed > 0 && `${elapsed} s` : took > 0 && inWords(took)
  if (waits > 0)
    return (
      <span className="askback-time">
        Trying again in <span role="timer">{secondsInWords(waits)}</span>
      </span>
    )
  return words ? <span className="askback-time">{words}</span> : null
}

/** Whole seconds that are left of a wait, from when this page hears of it. */
function useCountdown(waitMs: number | undefined): number {
  const until = useMemo(() => new Date(Date.now() + (waitMs ?? 0)).toISOString(), [waitMs])
  return useSecondsUntil(until)
}

function inWords(ms: number): string {
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
