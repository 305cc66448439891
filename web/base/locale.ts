import * as locale from '../../shared/words/locale.ts'
import { pageLocale } from './language.ts'

/** A moment or a day in the reader's format. */
export function showDate(date: Date | string | number, form: Parameters<typeof locale.showDate>[1]): string {
  return locale.showDate(date, form, pageLocale())
}

/** A number in the reader's format. */
export function showNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return locale.showNumber(value, options, pageLocale())
}

/** Joins items into a sentence: "a, b and c". */
export function showList(items: readonly string[]): string {
  return locale.showList(items, pageLocale())
}
