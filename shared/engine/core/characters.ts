/**
 * Characters of a text, as Unicode and PostgreSQL count them: a pair of surrogates is one.
 *
 * @example
 * countCharacters('a🚢') // => 2
 */
export function countCharacters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += unitsAt(text, index)) count++
  return count
}

/**
 * The characters of a text from one number to another, or to its end; never half of one.
 *
 * @example
 * sliceCharacters('a🚢b', 1, 2) // => '🚢'
 */
export function sliceCharacters(text: string, from: number, to: number = Number.POSITIVE_INFINITY): string {
  const start = indexAfter(text, 0, from)
  return text.slice(start, indexAfter(text, start, to - from))
}

/** The index in UTF-16 that lies so many characters behind another one, or at the end. */
function indexAfter(text: string, start: number, characters: number): number {
  if (characters >= text.length - start) return text.length
  let index = start
  for (let left = characters; left > 0 && index < text.length; left--) index += unitsAt(text, index)
  return index
}

function unitsAt(text: string, index: number): 1 | 2 {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}
