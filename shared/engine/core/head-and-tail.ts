import { withoutMiddle } from './without-middle.ts'

/**
 * Beginning and end of a text that is longer than `length` (UTF-16 units), two thirds and one third, with a mark between
 * them that says about how much is left out. Words stay whole, and it is never longer than the text.
 *
 * @example
 * headAndTail('one word after the other '.repeat(20), 100)
 * // => 'one word after the other one word [… about 446 characters are left out here …] after the other '
 */
export function headAndTail(text: string, length: number, why = ''): string {
  if (text.length <= length) return text
  const mark = (count: number) => ` [… about ${count} characters are left out here${why} …] `
  const kept = Math.max(0, length - mark(text.length).length)
  const tail = Math.floor(kept / 3)
  const shorter = withoutMiddle(text, kept - tail, tail, mark(text.length - kept))
  return shorter.length < text.length ? shorter : text
}
