/**
 * Beginning and end of a text that is longer than `length` (UTF-16 units), two thirds and one third, with a mark between
 * them that says how much is left out. Never half a character, and never longer than the text.
 *
 * @example
 * headAndTail(`${'a'.repeat(90)}${'z'.repeat(90)}`, 90) // => 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa [… 130 characters are left out here …] zzzzzzzzzzzzzzzz'
 */
export function headAndTail(text: string, length: number, why = ''): string {
  if (text.length <= length) return text
  const room = Math.max(0, length - mark(text.length, why).length)
  const from = boundary(text, Math.ceil((room * 2) / 3))
  const to = boundary(text, text.length - Math.floor(room / 3))
  const shorter = `${text.slice(0, from)}${mark(to - from, why)}${text.slice(to)}`
  return shorter.length < text.length ? shorter : text
}

function mark(count: number, why: string): string {
  return ` [… ${count} characters are left out here${why} …] `
}

/** The index, or the one before it if it would divide a pair of surrogates. */
function boundary(text: string, index: number): number {
  const isWithinPair = index > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(index - 1, index + 1))
  return isWithinPair ? index - 1 : index
}
