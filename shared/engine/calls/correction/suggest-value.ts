import type { JsonSchema } from '../../core/json-schema.ts'
import { allowedValues, pickShape } from '../../schema/resolve-schema.ts'
import { differInDigits, isSameWord, splitWords, stemWord } from '../names/compare-names.ts'
import { matchSpelling, matchTypo } from '../names/match-enum.ts'

/** A longer text is not an enum value. */
const maxLength = 80
/** Comparing words with more values takes too long. */
const maxAllowed = 300
const maxWords = 8

/**
 * The allowed value that a text probably means: one in another spelling, or the one that shares the most words with it. A
 * suggestion, never a repair; `undefined` if two are equally close or none is.
 * `name` is the parameter's name.
 */
export function suggestValue(
  root: JsonSchema,
  place: JsonSchema | boolean,
  text: string,
  name: string,
): unknown {
  const allowed = allowedValues(pickShape(root, place))
  if (!allowed || text.trim() === '' || text.length > maxLength) return undefined
  const spelled = matchSpelling(allowed, text) ?? matchTypo(allowed, text)
  if (spelled !== undefined || allowed.length > maxAllowed) return spelled
  const said = meaningfulWords(text, name)
  const scores = allowed.map((value) =>
    differInDigits(String(value), text) ? 0 : countShared(said, meaningfulWords(String(value), name)),
  )
  const best = Math.max(...scores)
  return best > 0 && scores.indexOf(best) === scores.lastIndexOf(best)
    ? allowed[scores.indexOf(best)]
    : undefined
}

/** Without the words of the parameter's name, which do not distinguish values. */
function meaningfulWords(text: string, name: string): string[] {
  const stems = splitWords(name).map(stemWord)
  return splitWords(text)
    .filter((word) => !stems.includes(stemWord(word)))
    .slice(0, maxWords)
}

function countShared(said: readonly string[], words: readonly string[]): number {
  return said.filter((word) => words.some((other) => isSameWord(word, other))).length
}
