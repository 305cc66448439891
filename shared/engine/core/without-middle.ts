import { unspacedScript } from './unspaced-scripts.ts'

/**
 * The beginning and the end of a text, with `gap` between them: at most `head` and `tail` UTF-16 units. What stands
 * together stays whole or is left out, so that nothing reads as a shorter number or address than it is.
 *
 * @example
 * withoutMiddle('one two three four five', 9, 6, ' … ') // => 'one two … five'
 */
export function withoutMiddle(text: string, head: number, tail: number, gap: string): string {
  if (text.length <= head + tail) return text
  let end = head
  while (end > 0 && isInside(text, end)) end--
  let start = text.length - tail
  while (start < text.length && isInside(text, start)) start++
  return `${text.slice(0, end).trimEnd()}${gap}${text.slice(start).trimStart()}`
}

const partOfWord = /[!-~\p{L}\p{N}\p{M}\p{Surrogate}]/u

/** Whether something goes on at this place. Where words are written without spaces, nothing shows where one ends. */
function isInside(text: string, at: number): boolean {
  return [text.charAt(at - 1), text.charAt(at)].every(
    (character) => partOfWord.test(character) && !unspacedScript.test(character),
  )
}
