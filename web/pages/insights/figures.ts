import { showDate, showNumber } from '../../locale.ts'

/** What the RPC `insights` counts in a day, or in all of them. One call with all its attempts counts once. */
export interface Figure {
  done: number
  notDone: number
  /** What the user said no to. */
  denied: number
  /** Done without any error. */
  firstTry: number
  /** With at least one error, and how many of these were done in the end. */
  erred: number
  recovered: number
  /** From the first attempt to the end of the one that succeeded. */
  medianMs: number | null
  /** Runs that asked a model. */
  runs: number
  modelCalls: number
  tokens: number
  /** Answers of models that were empty, cut off or not to be read. */
  askedAgain: number
  /** Answers as the user rated them. */
  good: number
  bad: number
}

/** `day` as in 2026-11-22, the oldest first, days of nothing too. */
export interface Insights {
  total: Figure
  days: (Figure & { day: string })[]
  attempts: { attempt: number; calls: number; succeeded: number }[]
  /** The most frequent first. */
  errors: { type: string; tool: string; count: number }[]
}

/** From 0 to 1; null where there is nothing to divide by. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

export function percent(value: number | null): string {
  return value === null ? '–' : showNumber(value, { style: 'percent' })
}

export function duration(ms: number | null): string {
  if (ms === null) return '–'
  const [value, unit, digits] = ms < 1000 ? [ms, 'millisecond', 0] : [ms / 1000, 'second', 1]
  return showNumber(value, {
    style: 'unit',
    unit,
    unitDisplay: 'narrow',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export function amount(value: number | null): string {
  if (value === null) return '–'
  return showNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 })
}

/** 2026-11-22 as 22 Nov. */
export function dayName(day: string): string {
  return showDate(`${day}T12:00:00`, 'shortDay')
}
