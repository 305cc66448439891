import { withoutHidden } from './hidden-marks.ts'
import { showDate, showList, showNumber } from './locale.ts'

/** Characters of one value in a sentence: the whole call is shown beside it. */
const longest = 80
/** Characters that look like the quotation marks of a sentence. */
const quotes =
  /["\u02BA\u02DD\u02EE\u02F5\u02F6\u05F4\u201C-\u201F\u2033\u2034\u2036\u2037\u2057\u275D\u275E\u2760\u3003\u301D-\u301F\uFF02\u00AB\u00BB]|['`\u00B4\u2018-\u201B\u2032\u2035]{2,}/gu

/** Stands for what a person still has to fill in. */
export const dots = '…'

/** After the first things of a list: how many more there are. */
const moreThan: Readonly<Record<string, string>> = { en: 'and # more', de: 'und # weitere' }

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
  list(texts: readonly string[], type?: Intl.ListFormatType): string
  /** The date and time. */
  moment(at: unknown): string | undefined
}

/** `marks` are the language's quotation marks; `timeZone`: of its reader. */
export function showIn(locale: string, marks: readonly [string, string], timeZone?: string): Show {
  const quote = (text: string) => {
    const line = withoutHidden(text)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .replace(quotes, "'")
    const letters = [...line]
    return (
      marks[0] + (letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line) + marks[1]
    )
  }
  const value = (given: unknown): string | undefined => {
    if (given === undefined || given === null || given === '') return undefined
    if (typeof given === 'number') return showNumber(given, {}, locale)
    if (!Array.isArray(given)) return quote(typeof given === 'string' ? given : JSON.stringify(given))
    return given.length === 0 ? undefined : given.map((one) => value(one) ?? '–').join(', ')
  }
  return {
    value,
    some: (given, many) =>
      Array.isArray(given) && given.length > 3 ? `${value(given.length)} ${many}` : value(given),
    count(given, one, many) {
      if (!Array.isArray(given) || given.includes(dots)) return undefined
      const count = given.filter((item) => (item as { ok?: boolean } | null)?.ok !== false).length
      return `${value(count)} ${count === 1 ? one : many}`
    },
    more(named, count) {
      const words = moreThan[locale.split('-')[0] ?? ''] ?? '+ #'
      return `${named} ${words.replace('#', () => showNumber(count, {}, locale))}`
    },
    list: (texts, type) => showList(texts, locale, type),
    moment: (at) => (typeof at === 'string' ? showDate(at, 'momentOfYear', locale, timeZone) : undefined),
  }
}
