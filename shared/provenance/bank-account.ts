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
  if (!/^[A-Z0-9]+$/.test(folded)) return false
  const spaced = [...folded].join('[\\s-]?')
  return new RegExp(`(?<![\\p{L}\\p{N}])${spaced}(?![\\p{L}\\p{N}]|[ -]?\\d)`, 'iu').test(text)
}
