import { withPlainDigits } from './digits.ts'
import { characterAt, characterBefore, continuesWord } from './text-boundary.ts'

/** True for an IBAN whose check digits hold (ISO 13616, mod 97). */
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

/** Without spaces and hyphens, in capitals. */
export function foldIban(value: string): string {
  return value.replace(/[\s-]/g, '').toUpperCase()
}

/** True when `text` has this IBAN whole, with any spaces inside it. */
export function namesIban(text: string, folded: string): boolean {
  if (!/^[A-Z0-9]{5,34}$/.test(folded)) return false
  const plain = withPlainDigits(text)
  // What follows a complete IBAN in a group of its own is something else; behind an incomplete one it is the rest.
  const goesOn = isIban(folded) ? '' : '(?![ -]?\\d)'
  const spelled = new RegExp([...folded].join('[\\s-]?') + goesOn, 'gi')
  for (const { 0: run, index } of plain.matchAll(spelled)) {
    const before = characterBefore(plain, index)
    const after = characterAt(plain, index + run.length)
    if (!continuesWord(before, '0') && !continuesWord(after, '0')) return true
  }
  return false
}
