/** The number in written digits, in either decimal notation (`1,234.5`, `1.234,5`, `1 234`), or undefined if they are not a number. */
export function readWrittenNumber(text: string): number | undefined {
  const written = text.trim()
  if (/[ \u00a0\u202f'’]/.test(written) && !/^\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?$/.test(written))
    return undefined
  const plain = written.replace(/[ \u00a0\u202f'’]/g, '')
  if (/^[.,]\d+$/.test(plain)) return Number(`0.${plain.slice(1)}`)
  if (!/^\d[\d.,]*$/.test(plain) || /^0\d/.test(plain)) return undefined
  const separators: string[] = plain.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return Number(plain)
  const other = last === '.' ? ',' : '.'
  // A single kind of separator before groups of three separates thousands; money has no third decimal.
  if (!separators.includes(other) && isGrouped(plain, last)) return Number(plain.replaceAll(last, ''))
  const at = plain.lastIndexOf(last)
  const whole = plain.slice(0, at)
  const fraction = plain.slice(at + 1)
  if (fraction === '' || whole.includes(last)) return undefined
  if (separators.includes(other) && !isGrouped(whole, other)) return undefined
  return Number(`${whole.replaceAll(other, '')}.${fraction}`)
}

/** Groups of three, or with commas the Indian way: 12,34,567. */
function isGrouped(digits: string, separator: string): boolean {
  const [head = '', ...rest] = digits.split(separator)
  if (!/^[1-9]\d{0,2}$/.test(head) || rest.length === 0) return false
  if (rest.every((group) => group.length === 3)) return true
  return (
    separator === ',' &&
    head.length <= 2 &&
    rest.at(-1)?.length === 3 &&
    rest.slice(0, -1).every((group) => group.length === 2)
  )
}
