import { showDate } from './locale.ts'

/** A moment as RFC 3339 writes it, with its zone. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** `2026-07-01T09:00:00Z` as an input of date and time takes it, in the reader's zone: `2026-07-01T11:00` in Berlin. */
export function toLocalInput(value: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [
    String(date.getFullYear()).padStart(4, '0'),
    two(date.getMonth() + 1),
    two(date.getDate()),
  ].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** A text that is a moment and nothing else, to the second, in the reader's zone and words; undefined for every other one. */
export function showMoment(value: unknown, locale?: string): string | undefined {
  if (typeof value !== 'string' || !moment.test(value)) return undefined
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  return showDate(date, date.getSeconds() === 0 ? 'moment' : 'exactMoment', locale)
}
