const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/**
 * The calendar date that a text surely means, as `2025-01-31`: a date with a time behind it, other separators, missing
 * zeros, a month by name. `undefined` where day and month could be swapped, and for dates that do not exist.
 */
export function readDate(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 40) return undefined
  const yearFirst =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      trimmed,
    )
  if (yearFirst) return dateOf(yearFirst[1], yearFirst[3], yearFirst[4])
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(trimmed)
  if (compact) return dateOf(compact[1], compact[2], compact[3])
  const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(trimmed)
  if (yearLast) {
    const [first, second] = [Number(yearLast[1]), Number(yearLast[3])]
    if (first > 12) return dateOf(yearLast[4], yearLast[3], yearLast[1])
    if (second > 12 || first === second) return dateOf(yearLast[4], yearLast[1], yearLast[3])
    return undefined
  }
  return readMonthName(
    trimmed
      .toLowerCase()
      .replace(/(?<=\d)(?:st|nd|rd|th)\b/g, '')
      .replace(/,/g, ' '),
  )
}

function readMonthName(text: string): string | undefined {
  const parts = text.split(/[\s-]+/).filter((part) => part !== '' && part !== 'of' && part !== 'the')
  if (parts.length !== 3) return undefined
  const at = parts.findIndex((part) => /^[a-z]{3,}\.?$/.test(part))
  const month = monthOf(parts[at])
  const [a, b] = parts.filter((_, index) => index !== at)
  if (month === undefined || a === undefined || b === undefined) return undefined
  if (/^\d{4}$/.test(b) && /^\d{1,2}$/.test(a)) return dateOf(b, String(month), a)
  return /^\d{4}$/.test(a) && /^\d{1,2}$/.test(b) ? dateOf(a, String(month), b) : undefined
}

function monthOf(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const matches = months.filter((month) => month.startsWith(name.replace(/\.$/, '')))
  return matches.length === 1 ? months.indexOf(matches[0] as string) + 1 : undefined
}

function dateOf(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}
