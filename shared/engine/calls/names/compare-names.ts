/** Longer texts are not names; comparing them takes time. */
export const maxNameLength = 128

/** A name without case and separators: `orderId`, `order-id` and `ORDER_ID` are the same. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

const wordPattern = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu

/** The words of a name, lower case: `getHTMLPage2` is get, html, page, 2. */
export function splitWords(name: string): string[] {
  const text = name
    .slice(0, maxNameLength)
    .normalize('NFKC')
    .replace(/['’]s\b/g, '')
  return (text.match(wordPattern) ?? []).map((word) => word.toLowerCase())
}

/** A word without its plural ending. */
export function stemWord(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/**
 * True if one text is a typo of the other: they look alike and start alike. A different first letter makes a different word
 * (`height` and `weight`, `reactivate` and `deactivate`), unless it is swapped or missing.
 */
export function isTypo(a: string, b: string): boolean {
  return looksAlike(a, b) && (a[0] === b[0] || a[1] === b[0] || a[0] === b[1])
}

/** One letter added, missing, wrong or swapped; two in long words. A different digit is a different name (`address1`, `address2`). */
export function looksAlike(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length)
  if (a === b || longer < 3 || longer > maxNameLength || keepDigits(a) !== keepDigits(b)) return false
  const allowed = longer >= 9 ? 2 : 1
  if (Math.abs(a.length - b.length) > allowed) return false
  const distance = editDistance(a, b)
  if (distance > allowed || (distance > 1 && a[0] !== b[0])) return false
  return longer > 3 || (a.length !== b.length && a[0] === b[0])
}

/** True for two texts with different numbers. */
export function differInDigits(a: string, b: string): boolean {
  const [one, other] = [keepDigits(a), keepDigits(b)]
  return one !== other && one !== '' && other !== ''
}

/** The digits of a text, in any script. */
function keepDigits(text: string): string {
  return text.replace(/\P{N}/gu, '')
}

/** Insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

/** True for the same word in another form or abbreviated: `item` and `items`, `qty` and `quantity`, `lang` and `language`. */
export function isSameWord(a: string, b: string): boolean {
  return stemWord(a) === stemWord(b) || isAbbreviation(a, b) || isAbbreviation(b, a)
}

function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (long.startsWith(short)) return short.length >= 3 || long.length <= 3
  if (short.length > 8 || short.at(-1) !== long.at(-1) || /[aeiou]/.test(short.slice(1))) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return at === short.length
}
