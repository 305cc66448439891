/** Characters at the end of a text in which white space is looked for: no word, number or address is longer. */
const nearEnd = 300

/**
 * The beginning of a longer text up to its last white space, so that no number or address is read in two halves; all of it
 * if there is none near its end, as in scripts without spaces.
 *
 * @example
 * upToGap('pay 13') // => 'pay '
 */
export function upToGap(text: string): string {
  const end = text.slice(-nearEnd)
  const gap = end.search(/\s\S*$/)
  return gap < 0 ? text : text.slice(0, text.length - end.length + gap + 1)
}
