/** The date formats. */
const forms = {
  time: { timeStyle: 'short' },
  milliseconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  day: { dateStyle: 'medium' },
  longDay: { dateStyle: 'long' },
  shortDay: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  exactMoment: { dateStyle: 'medium', timeStyle: 'medium' },
  longMoment: { dateStyle: 'long', timeStyle: 'short' },
  fullMoment: { dateStyle: 'full', timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

/**
 * A date in the user's language and time zone: that of the machine, if no other is named. Each format is created once,
 * because lists have many dates.
 *
 * @example
 * showDate('2026-11-23T12:00:00Z', 'longDay', 'en-GB') // => '23 November 2026'
 */
export function showDate(
  date: Date | string | number,
  form: keyof typeof forms,
  locale?: string,
  timeZone?: string,
): string {
  const moment = new Date(date)
  // The value is someone else's and may not be a date.
  if (Number.isNaN(moment.getTime())) return '–'
  const key = `${form} ${locale ?? ''} ${timeZone ?? ''}`
  const format = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...forms[form], timeZone })
  made.set(key, format)
  return format.format(moment)
}

const made = new Map<string, Intl.DateTimeFormat>()

/**
 * A day and a time without the year, with the hour as the language writes it.
 *
 * @example
 * showMomentOfYear('2026-11-23T12:00:00Z', 'en-GB', 'UTC') // => '23 Nov, 12:00'
 */
export function showMomentOfYear(date: Date | string | number, locale?: string, timeZone?: string): string {
  const [day, time] = [showDate(date, 'shortDay', locale, timeZone), showDate(date, 'time', locale, timeZone)]
  return day === time ? day : `${day}, ${time}`
}

/**
 * A number in the user's format.
 *
 * @example
 * showNumber(1234.5, { maximumFractionDigits: 1 }, 'de') // => '1.234,5'
 */
export function showNumber(value: number, options: Intl.NumberFormatOptions = {}, locale?: string): string {
  return new Intl.NumberFormat(locale, options).format(value)
}

/**
 * A moment relative to now, in the largest unit that fits.
 *
 * @example
 * showRelative(-1, 'day', 'de') // => 'gestern'
 */
export function showRelative(
  value: number,
  unit: Intl.RelativeTimeFormatUnit,
  locale?: string,
  numeric: 'auto' | 'always' = 'auto',
): string {
  return new Intl.RelativeTimeFormat(locale, { numeric }).format(value, unit)
}

/**
 * Items joined into a sentence.
 *
 * @example
 * showList(['a', 'b', 'c'], 'de') // => 'a, b und c'
 */
export function showList(
  items: readonly string[],
  locale?: string,
  type: Intl.ListFormatType = 'conjunction',
): string {
  return new Intl.ListFormat(locale, { type }).format(items)
}

/** Each is a thousand times the previous one. */
const byteUnits = ['byte', 'kilobyte', 'megabyte']

/**
 * A file size in a few characters.
 *
 * @example
 * showBytes(1_200_000, 'de') // => '1,2 MB'
 */
export function showBytes(bytes: number, locale?: string): string {
  const power = Math.min(bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1)
  const unit = byteUnits[power] ?? 'byte'
  const options = { style: 'unit', unit, maximumFractionDigits: power < 2 ? 0 : 1 } as const
  return showNumber(bytes / 1000 ** power, options, locale)
}

/**
 * The locale for dates and numbers: the first of the browser's locales in this language.
 *
 * @example
 * readersLocale('de', ['en-GB', 'de-AT']) // => 'de-AT'
 */
export function readersLocale(language: string, known = globalThis.navigator?.languages ?? []): string {
  return known.find((locale) => languageOf(locale) === languageOf(language)) ?? language
}

/** undefined if it isn't a locale: WebKit in a container names the language "C". */
function languageOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).language
  } catch {
    return undefined
  }
}
