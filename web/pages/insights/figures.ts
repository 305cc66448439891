import { showDate, showNumber } from '../../base/locale.ts'

/** The counts of the RPC `insights` for one day or for all. A call counts once, with all its attempts. */
export interface Figure {
  done: number
  notDone: number
  /** Denied by the user. */
  denied: number
  /** Succeeded without any error. */
  firstTry: number
  /** Calls with at least one error, and how many of these succeeded in the end. */
  erred: number
  recovered: number
  /** Milliseconds from the first attempt to the end of the successful one. */
  medianMs: number | null
  /** Runs that called a model. */
  runs: number
  modelCalls: number
  tokens: number
  /** Model answers that were empty, cut off or unreadable. */
  askedAgain: number
  /** The user's ratings. */
  good: number
  bad: number
}

/** `day` is like 2026-11-22; oldest first, including days without calls. */
export interface Insights {
  total: Figure
  days: (Figure & { day: string })[]
  attempts: { attempt: number; calls: number; succeeded: number }[]
  /** Most frequent first. */
  errors: { type: string; tool: string; count: number }[]
}

/** From 0 to 1; null if the whole is 0. */
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

/** An average of small numbers. */
export function average(value: number | null): string {
  return value === null ? '–' : showNumber(value, { maximumFractionDigits: 2 })
}

/** US dollars, to a hundredth of a cent where they are few. */
export function dollars(value: number): string {
  const digits = value !== 0 && value < 1 ? 4 : 2
  return showNumber(value, { style: 'currency', currency: 'USD', maximumFractionDigits: digits })
}

/** Formats 2026-11-22 as 22 Nov. */
export function dayName(day: string): string {
  return showDate(`${day}T12:00:00`, 'shortDay')
}
