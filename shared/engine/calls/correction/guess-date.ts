const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const timeOfDay = /[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?$/
const maxLength = 40

/**
 * The calendar date that a text clearly means, as `2025-01-31`: a date followed by a time, with other separators, without
 * leading zeros, or with the month's name. `undefined` if day and month could be swapped, or the date does not exist.
 */
export function guessDate(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const parts = text
    .trim()
    .toLowerCase()
    .replace(timeOfDay, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/, '')
    .split(/[-/., ]+/)
  const [first = '', second = '', third = '', more] = parts
  if (more !== undefined) return undefined
  if (/^\d{4}$/.test(first)) return writeDate(first, second, third)
  if (monthNumber(first) > 12 || isName(second)) return writeDate(third, second, first)
  const isClear = isName(first) || monthNumber(second) > 12 || first === second
  return isClear ? writeDate(third, first, second) : undefined
}

function isName(part: string): boolean {
  return /^[a-z]{3,}$/.test(part)
}

/** 1 to 12 for the name of a month or its beginning, 0 for another word, the number itself for digits. */
function monthNumber(part: string): number {
  return isName(part) ? months.findIndex((month) => month.startsWith(part)) + 1 : Number(part)
}

function writeDate(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${String(monthNumber(month)).padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}
