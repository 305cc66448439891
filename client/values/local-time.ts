import { showDate } from '../../shared/words/locale.ts'

/** A moment in RFC 3339, with time zone. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** `2026-07-01T09:00:00Z` as a datetime input takes it, in the reader's time zone: `2026-07-01T11:00` in Berlin. */
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

/** Formats a text that is just an RFC 3339 moment, to the second, for the reader; undefined for any other text. */
export function showMoment(value: unknown, locale?: string): string | undefined {
  if (typeof value !== 'string' || !moment.test(value)) return undefined
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  return showDate(date, date.getSeconds() === 0 ? 'moment' : 'exactMoment', locale)
}
