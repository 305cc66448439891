import { unspacedScript, unspacedScripts } from '../core/unspaced-scripts.ts'

/*
 * Where a value ends in running text. A character of a script without spaces (Chinese, Japanese,
 * Thai …) ends a value of another script: people write `发给li@b.example吧` and `小松さんに`.
 */

const wordCharacter = /[\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}_]/u

/** The whole character before `index`, `''` at the start. */
export function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1)
  return index <= 0 ? '' : text.slice(index - (unit >= 0xdc00 && unit <= 0xdfff ? 2 : 1), index)
}

/** The whole character at `index`, `''` at the end. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** True for a letter, digit or mark of the value's own kind of script: the value continues. */
export function continuesWord(character: string, edgeOfValue: string): boolean {
  if (!wordCharacter.test(character)) return false
  if (!unspacedScript.test(character)) return true
  return unspacedScripts.some((script) => script.test(character) && script.test(edgeOfValue))
}

/** All positions of `needle` in `text`, from left to right. */
export function* occurrences(text: string, needle: string): Generator<number> {
  if (needle === '') return
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) yield at
}
