import { languages } from './languages.ts'

let names: Set<string> | undefined

/** True for the name of a month, long or short, in one of the languages that are written most. */
export function isMonthName(word: string): boolean {
  names ??= new Set(languages.flatMap(monthsOf))
  return names.has(word.toLowerCase())
}

function monthsOf(language: string): string[] {
  return (['long', 'short'] as const).flatMap((month) => {
    // With the day beside it many languages inflect the name.
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
      month,
      day: 'numeric',
      timeZone: 'UTC',
    })
    return Array.from({ length: 12 }, (_, index) => {
      const parts = format.formatToParts(Date.UTC(2024, index, 1))
      const name = parts.find(({ type }) => type === 'month')?.value ?? ''
      return name.toLowerCase().normalize('NFKC').replace(/\.$/, '')
    }).filter((name) => /\p{L}/u.test(name))
  })
}
