import { readWrittenNumber } from '../reading/written-number.ts'
import { isIban } from './bank-account.ts'
import { digitsInARow, withPlainDigits } from './digits.ts'
import { endsInLabel } from './number-labels.ts'
import { endsInMagnitude, isCurrency, startsWithMagnitude } from './number-words.ts'
import { characterAt, characterBefore, continuesWord } from './text-boundary.ts'

/** A run of digits with its separators; a space only before a group of three. */
const digitRun = /(?:(?<![\p{L}\p{N}.,])[.,])?\d+(?:[.,'’]+\d+|[ \u00a0\u202f]\d{3}(?!\d))*/gu
const percent = /^\s?(?:[%٪‰]|percent\b|per cent\b|prozent\b|pct\b)/i
const isNegative = /(?:^|[\s(=:])[-\u2212\u2013](?:\p{Sc}|[A-Z]{3} ?)?$/u
/** Characters of a value that is one amount, with its currency. */
const longestValue = 60
const isWholeNumber = /^\d+$/
/** How many characters around a number are considered. */
const reach = 40
/** A text is read in windows around the digits being searched, with this many characters of context. */
const margin = 150
const windowLength = 500
const longestWord = 2000
/** This many characters around rejected numbers are read: a hostile text costs milliseconds. */
const mostRead = 50_000

/** A number as text that `readWrittenNumber` reads back: three decimals would look like a group of three. */
export function spellNumber(value: number): string {
  return String(value).replace(/\.\d{3}$/, '$&0')
}

/** The amount that a text value means: one number, with or without a currency. */
export function readAmount(value: string): number | undefined {
  if (value.length > longestValue) return undefined
  const amounts = [...readAmounts(withoutCodes(withPlainDigits(value)))]
  const words = value.match(/\p{L}+/gu) ?? []
  const isPlain = !/\d\s+\D*\d/.test(value) || readWrittenNumber(value) !== undefined
  return amounts.length === 1 && isPlain && words.every(isCurrency) ? amounts[0]?.value : undefined
}

interface AmountUnits {
  /** Percentages count as amounts. */
  percentages?: boolean
  /** The amount is in cents, so that `50 cents` is 50. */
  minorUnits?: boolean
}

/**
 * Whether a text contains this amount, whole. Numbers inside words, dates, times, addresses and codes are not amounts.
 * Only the surroundings of its digits are read, up to a limit: beyond it the text does not contain it.
 */
export function namesAmount(amount: number, units: AmountUnits = {}): (text: string) => boolean {
  const size = Math.abs(amount)
  const digits = matchDigits(size)
  let left = mostRead
  return (text) => {
    digits.lastIndex = 0
    for (let match = digits.exec(text); match && left > 0; match = digits.exec(text)) {
      const start = cutBefore(text, match.index - margin)
      const core = withPlainDigits(text.slice(start, match.index + windowLength))
      const rest = withPlainDigits(
        text.slice(match.index + windowLength, cutBehind(text, match.index + windowLength + margin)),
      )
      left -= core.length + rest.length
      for (const { value, index } of readAmounts(withoutCodes(core + rest), size, units))
        if (value === amount && index < core.length) return true
      digits.lastIndex = match.index + windowLength
    }
    return false
  }
}

/** The digits that every spelling of an amount has. */
export function digitsOfAmount(amount: number): string {
  return String(Math.abs(amount)).replace(/^0\.0*|\D/g, '')
}

function matchDigits(size: number): RegExp {
  const spelled = digitsInARow(digitsOfAmount(size), "[.,'’\u066b\u066c \u00a0\u202f]?")
  return new RegExp(`(?<![1-9])${spelled}(?![${Number.isInteger(size) ? '0' : '1'}-9])`, 'gu')
}

/** The nearest place at or before `index` that does not cut a word, address or code. */
function cutBefore(text: string, index: number): number {
  let at = Math.max(0, index)
  for (const last = at - longestWord; at > Math.max(0, last) && isAscii(text, at - 1); ) at--
  return at
}

function cutBehind(text: string, index: number): number {
  let at = Math.min(text.length, index)
  for (const last = at + longestWord; at < Math.min(text.length, last) && isAscii(text, at); ) at++
  return at
}

/** A visible ASCII character, as used in addresses and codes. */
function isAscii(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code > 0x20 && code < 0x7f
}

/** The amounts of a text without codes; only those of this size, if one is given. */
function* readAmounts(
  plain: string,
  size?: number,
  units: AmountUnits = {},
): Generator<{ value: number; index: number }> {
  for (const match of plain.matchAll(digitRun)) {
    const [run] = match
    const isJson = plain.startsWith(
      '":',
      plain.charAt(match.index - 1) === '-' ? match.index - 3 : match.index - 2,
    )
    const value = isJson ? Number(run) : readWrittenNumber(run)
    if (value === undefined || (size !== undefined && value !== size)) continue
    const end = match.index + run.length
    const after = plain.slice(end, end + reach)
    const before = plain.slice(Math.max(0, match.index - reach), match.index)
    if (
      isInsideCode(before, after) ||
      endsInMagnitude(before) ||
      startsWithMagnitude(after, units.minorUnits === true) ||
      isPartOfDate(value, before, after) ||
      (isWholeNumber.test(run) && endsInLabel(before) && !startsWithCurrency(after)) ||
      (!units.percentages && percent.test(after))
    )
      continue
    yield { value: isNegative.test(before) ? -value : value, index: match.index }
  }
}

/** What follows a day or an hour; `50 am Montag` is not one. */
const clock =
  /^[年月号號时時点點秒년월]|^日(?![元圆圓])|^\s?(?:uhr\b|o['’]?clock\b|p\.?m\b|a\.m\.|h(?![\p{L}]))/iu

/** Before a day written with a dot: `am 14. geliefert`, `vom 14.6.` */
const germanDay = /(?:^|\P{L})(?:am|vom|zum|bis|seit|den|dem|der)\s$/iu

/** A day with its dot; the hour or minutes of a time. */
function isPartOfDate(value: number, before: string, after: string): boolean {
  if (value < 32 && after.startsWith('.') && germanDay.test(before)) return true
  return clock.test(after) || /\d\s?h\s?$/i.test(before) || (value <= 12 && /^\s?am\b/i.test(after))
}

function startsWithCurrency(after: string): boolean {
  const [, sign, word] = /^\s?(?:(\p{Sc})|(\p{L}+))/u.exec(after) ?? []
  return sign !== undefined || (word !== undefined && isCurrency(word))
}

/** Part of a word, a time, a range, a sum in two units or a code; a currency next to the digits is none of these. */
function isInsideCode(before: string, after: string): boolean {
  if (
    /(?:\d[-/:.,^\u2013\u2044]|[\p{L}_][-/])$/u.test(before) ||
    /^(?:[-/:^\u2013\u2044]| \d{1,2}[/\u2044])[\d\p{No}]/u.test(after)
  )
    return true
  if (continuesWord(characterBefore(before, before.length), '0')) {
    const [word = ''] = /[\p{L}\p{M}\p{N}_]+$/u.exec(before) ?? []
    if (!isCurrency(word)) return true
  }
  if (/[#№§°]\s?$|\d\p{Sc}$/u.test(before) || /^\p{Sc}\d/u.test(after)) return true
  // A compound or a file name: `3-day`, `450.pdf`, but not `50-euro`.
  const start = /^[-.]/.test(after) ? 1 : 0
  if (!continuesWord(characterAt(after, start), '0')) return false
  const [unit = ''] = /^[\p{L}\p{M}\p{N}_]+/u.exec(after.slice(start)) ?? []
  return (start === 0 || /^\p{L}/u.test(unit)) && !isCurrency(unit)
}

/** Blanks out everything with digits that is not an amount: web and email addresses, IBANs, dates, phone and card numbers. */
function withoutCodes(text: string): string {
  return text
    .replace(/:\/\/[!-~]+/g, blank)
    .replace(/[!#-'*+\--:=?-~]+/g, (word) => (word.includes('@') ? blank(word) : word))
    .replace(
      /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4})+(?:[ -]?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])/g,
      blankIban,
    )
    .replace(/(?<!\d)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})(?!\d)/g, blank)
    .replace(dateInWords, blank)
    .replace(/\+?\(?\d(?:[ \u00a0()/.-]{0,3}\d)*/g, (run) => (isLongCode(run) ? blank(run) : run))
}

/** A day next to a word and a year: `14 March 2025`, `March 14, 2025`, `5 de mayo de 2025`. */
const dateInWords =
  /(?<![\p{L}\p{N}.,])(?:\d{1,2}\.?[ \u00a0-](?:de |of )?\p{L}+\.?,?[ \u00a0-](?:de )?|\p{L}+\.? \d{1,2}(?:st|nd|rd|th)?, )(?:19|20)\d\d(?![\p{N}.,]\d|\p{L})/gu

/** Of the same length, and not part of an amount. */
function blank(code: string): string {
  return ';'.padEnd(code.length)
}

/** Characters of an IBAN in groups. */
const longestIban = 42

/** Blanks out up to where the check digits are valid; all of it in capitals, if they never are. */
function blankIban(run: string): string {
  for (let end = 15; end <= Math.min(run.length, longestIban); end++)
    if (!/[A-Za-z0-9]/.test(run.charAt(end)) && isIban(run.slice(0, end)))
      return blank(run.slice(0, end)) + run.slice(end)
  return run === run.toUpperCase() ? blank(run) : run
}

/** A phone, card or account number in groups: long, or with a `+` or a leading zero, and not an amount as a whole. */
function isLongCode(run: string): boolean {
  if (readWrittenNumber(run) !== undefined) return false
  const length = run.replace(/\D/g, '').length
  return length >= (/^\+|^\(?0\d/.test(run) ? 6 : 9)
}
