import { exactNumber } from '../../shared/engine/core/exact-json.ts'

/** How numbers are written in the reader's language. */
interface Marks {
  decimal: string
  /** Between thousands. */
  group: string
}

function marksOf(locale: string | undefined): Marks {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5)
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { decimal: find('decimal') || '.', group: find('group') }
}

/**
 * Reads a typed number in the browser's language unless `locale` is given; the text of its digits if a double would change
 * them; undefined if it is not a number or ambiguous.
 * The notation of programming languages is accepted everywhere, unless it means a different number here.
 *
 * @example
 * readNumber('1,5', 'de') // => 1.5
 * readNumber('1,5', 'en') // => undefined
 */
export function readNumber(typed: string, locale?: string): number | string | undefined {
  const { decimal, group } = marksOf(locale)
  const blanks = /^\s*$/.test(group)
  const text = (blanks ? typed.replace(/\s/g, '') : typed.trim()).replace(/^\u2212/, '-')
  const [whole = '', ...rest] = text.split(decimal)
  const groups = whole.split(blanks || group === '' ? '\0' : group)
  const isGrouped =
    groups.length > 1 &&
    groups.every((part, index) => (index === 0 ? /^[-+]?\d{1,3}$/ : /^\d{3}$/).test(part))
  if (rest.length > 1 || (groups.length > 1 && !isGrouped)) return readPlain(text)
  return readPlain([groups.join(''), ...rest].join('.'))
}

function readPlain(text: string): number | string | undefined {
  const [match, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([-+]?)(\d*)(?:\.(\d*))?(e[-+]?\d+)?$/i.exec(text) ?? []
  if (match === undefined || whole + fraction === '') return undefined
  // As JSON writes it.
  const written = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}${exponent}`
  return exactNumber(written)
}

/** Formats a number, or the text of its digits, so that `readNumber` reads it. */
export function showTypedNumber(value: number | string, locale?: string): string {
  return String(value).replace('.', marksOf(locale).decimal)
}

/** An example that shows how numbers are written here. */
export function exampleNumber(isWhole: boolean, locale?: string): string {
  return new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(isWhole ? 12_345 : 1234.5)
}

/** Whether the decimal separator is a comma. */
export function hasDecimalComma(locale?: string): boolean {
  return marksOf(locale).decimal === ','
}
