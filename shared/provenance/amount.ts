import { continuesWord } from './text-boundary.ts'

/** A run of digits with its separators; a space only before a group of three. */
const digitRun = /\d(?:[\d.,'’]|[ \u00a0\u202f](?=\d{3}(?!\d)))*/gu

/** The number that a written amount means, in either decimal notation, or undefined when it is none. */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replace(/[ \u00a0\u202f'’]/g, '')
  if (!/^\d[\d.,]*$/.test(plain) || /^0\d/.test(plain)) return undefined
  const separators: string[] = plain.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return Number(plain)
  const other = last === '.' ? ',' : '.'
  // One kind of separator before groups of three groups thousands; money has no third decimal.
  if (!separators.includes(other) && /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(plain))
    return Number(plain.replace(/[.,]/g, ''))
  const at = plain.lastIndexOf(last)
  const whole = plain.slice(0, at)
  const fraction = plain.slice(at + 1)
  if (fraction === '' || whole.split(last).length > 1) return undefined
  if (separators.includes(other) && !new RegExp(`^[1-9]\\d{0,2}(?:\\${other}\\d{3})+$`).test(whole))
    return undefined
  return Number(`${whole.replaceAll(other, '')}.${fraction}`)
}

/** Every amount that stands whole in a text; numbers inside words, dates, times and longer codes are none. */
export function amountsIn(text: string): number[] {
  const plain = text.replace(/\S*(?:@|:\/\/)\S*/g, ' ')
  const amounts: number[] = []
  for (const match of plain.matchAll(digitRun)) {
    const run = match[0].replace(/[.,'’ \u00a0\u202f]+$/, '')
    const before = plain.slice(0, match.index)
    const after = plain.slice(match.index + run.length)
    const value = readAmount(run)
    if (value === undefined || isInsideCode(before, after)) continue
    const suffix = /^\s?k(?![\p{L}\p{N}])/iu.test(after) ? 1000 : 1
    amounts.push(value * suffix)
  }
  return amounts
}

/** Part of a word, a date, a time, a fraction or a code; a currency or unit beside the digits is none of these. */
function isInsideCode(before: string, after: string): boolean {
  if (/\d[-/:.,]$|[-/:]\d*$/.test(before) && /[\p{L}\p{N}][-/:.,]$/u.test(before)) return true
  if (/^[-/:]\d/.test(after)) return true
  const word = /[\p{L}\p{M}\p{N}_]+$/u.exec(before)?.[0] ?? ''
  if (word !== '' && continuesWord(word.at(-1) ?? '', '0') && !/^[A-Z]{3}$/.test(word)) return true
  const unit = /^[\p{L}\p{M}\p{N}_]+/u.exec(after)?.[0] ?? ''
  return unit !== '' && continuesWord(unit.charAt(0), '0') && !/^\p{L}{1,4}$/u.test(unit)
}
