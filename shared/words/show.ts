import { showList, showMomentOfYear, showNumber } from './locale.ts'
import { quotedValue } from './quoted-value.ts'

/** Stands for what a person still has to fill in. */
const dots = '…'

/** After the first things of a list: how many more there are; and after the first of several values. */
const rest: Readonly<Record<string, { more: string; other: string; others: string }>> = {
  en: { more: 'and # more', other: 'and 1 other', others: 'and # others' },
  de: { more: 'und # weitere', other: 'und 1 weitere', others: 'und # weitere' },
}

/** How a language writes values in sentences. */
export interface Show {
  /** A value in quotation marks that it cannot close, on one line; numbers in the reader's format. Undefined if there is none. */
  value(value: unknown): string | undefined
  /** The items of a list; their number if there are more than three. */
  some(values: unknown, many: string): string | undefined
  /** The number of items, with the noun; items that report a failure are not counted. */
  count(values: unknown, one: string, many: string): string | undefined
  /** What is named of a list, and how much more there is. */
  more(named: string, count: number): string
  /** The first of several values, and how many others there are. */
  others(first: string, count: number): string
  list(texts: readonly string[], type?: Intl.ListFormatType): string
  /** The date and time. */
  moment(at: unknown): string | undefined
}

/** `marks` are the language's quotation marks; `timeZone`: of its reader, if it is known. */
export function showIn(locale: string, marks: readonly [string, string], timeZone?: string): Show {
  const value = (given: unknown): string | undefined => {
    if (given === undefined || given === null || given === '') return undefined
    // What people typed keeps its digits.
    if (typeof given === 'number')
      return showNumber(given, { useGrouping: false, maximumFractionDigits: 20 }, locale)
    if (!Array.isArray(given)) return quotedValue(given, marks)
    return given.length === 0 ? undefined : given.map((one) => value(one) ?? '–').join(', ')
  }
  const restIn = (kind: 'more' | 'other' | 'others', count: number) =>
    (rest[locale.split('-')[0] ?? '']?.[kind] ?? '+ #').replace('#', () => showNumber(count, {}, locale))
  return {
    value,
    some: (given, many) =>
      Array.isArray(given) && given.length > 3 ? `${value(given.length)} ${many}` : value(given),
    count(given, one, many) {
      if (!Array.isArray(given) || given.includes(dots)) return undefined
      const count = given.filter((item) => (item as { ok?: boolean } | null)?.ok !== false).length
      return `${value(count)} ${count === 1 ? one : many}`
    },
    more: (named, count) => `${named} ${restIn('more', count)}`,
    others: (first, count) => `${first} ${restIn(count === 1 ? 'other' : 'others', count)}`,
    list: (texts, type) => showList(texts, locale, type),
    moment: (at) => (typeof at === 'string' ? showMoment(at, locale, timeZone) : undefined),
  }
}

/** Only a time that may not be on the reader's clock names its zone. */
function showMoment(at: string, locale: string, timeZone: string | undefined): string {
  if (timeZone === undefined) return `${showMomentOfYear(at, locale, 'UTC')} UTC`
  try {
    return showMomentOfYear(at, locale, timeZone)
  } catch {
    return showMoment(at, locale, undefined)
  }
}
