import { digitsInARow, withPlainDigits } from './digits.ts'
import { characterAt, characterBefore, continuesWord } from './text-boundary.ts'

/** True for an IBAN with valid check digits (ISO 13616, mod 97). */
export function isIban(value: string): boolean {
  const compact = foldIban(value)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** How many characters around a number are considered. */
const reach = 60

/** Without spaces and hyphens, in capitals. */
export function foldIban(value: string): string {
  return value.replace(/[\s-]/g, '').toUpperCase()
}

/** True if `text` contains this IBAN or account number whole, in any grouping. */
export function namesAccount(text: string, folded: string): boolean {
  if (!/^[A-Z0-9]{4,34}$/.test(folded)) return false
  const isComplete = isIban(folded)
  const spelled = new RegExp(`${digitsInARow(folded, '[\\s-]?')}(?!-\\d)`, 'gi')
  for (const { 0: run, index } of text.matchAll(spelled)) {
    const end = index + run.length
    if (continuesWord(characterBefore(text, index), '0') || continuesWord(characterAt(text, end), '0'))
      continue
    // A group next to a complete IBAN is something else.
    if (isComplete) return true
    const before = withPlainDigits(text.slice(Math.max(0, index - reach), index))
    const after = withPlainDigits(text.slice(end, end + reach))
    if (!isPartOfGroups(run, before, after) && !isPartOfOther(before, after)) return true
  }
  return false
}

/** Whether a number is part of a phone number, an email address, a file name, a code or a sum with its cents. */
function isPartOfOther(before: string, after: string): boolean {
  if (/(?:\+[\d ()-]*|@|\d\.|[A-Z]-)$/i.test(before)) return true
  return /^(?:@|\.[A-Z\d]|-[A-Z]|,\d{1,2}(?!\d))/i.test(after)
}

/** Whether a number continues in the groups next to it: `4242` in `4111 1111 1111 4242`, what follows `DE89 `. */
function isPartOfGroups(run: string, before: string, after: string): boolean {
  if (/(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4})*[ -]?$/i.test(before)) return true
  const groups = run.split(/[\s-]/)
  const [, left = '', leftSeparator = ''] = /([A-Z0-9]+)([ -])$/i.exec(before) ?? []
  const [, rightSeparator = '', right = ''] = /^([ -])([A-Z0-9]+)/i.exec(after) ?? []
  const joins = (group: string, separator: string, edge = '') =>
    /\d/.test(group) && (separator === '-' || run.includes(separator) || group.length === edge.length)
  return joins(left, leftSeparator, groups.at(0)) || joins(right, rightSeparator, groups.at(-1))
}
