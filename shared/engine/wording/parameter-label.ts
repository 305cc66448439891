import { inSentence, type Label } from '../../words/sentences/questions.ts'
import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { declaredNames, flattenSchema, listTypes } from '../schema/resolve-schema.ts'
import { isAcronym, makeSingular, spellOutName, spellOutWord } from '../schema/words-of-name.ts'

/** The label of a place: from its title, else from its name. */
export function labelParameter(path: JsonPath, schema: JsonSchema): Label {
  if (path.length === 0) return { text: 'arguments', takesArticle: true, owner: '' }
  const isItem = typeof path.at(-1) === 'number'
  const owner = isItem || path.length === 1 ? '' : inSentence(readName(path.slice(0, -1)))
  const title = isItem ? '' : readTitle(schema)
  const name = title === '' ? readName(path) : { text: title, takesArticle: true }
  // "Should the monthly be true or false?" is not a good question.
  const isFlag = name.takesArticle && listTypes(schema).includes('boolean')
  return { ...name, ...(isFlag ? { text: `"${name.text}"`, takesArticle: false } : {}), owner }
}

/** A path without the only object that wraps all parameters: its name says nothing. */
export function withoutWrapper(root: JsonSchema, path: JsonPath): JsonPath {
  const isWrapper = declaredNames(flattenSchema(root, root)).length === 1 && typeof path[1] === 'string'
  return isWrapper ? path.slice(1) : path
}

/** A title in the middle of a sentence; it may be a name. Empty if it is none. */
function readTitle({ title = '' }: JsonSchema): string {
  const isName = /^\S*(?:_|\p{Ll}\p{Lu})\S*$/u.test(title.trim())
  const words = isName ? spellOutName(title) : title.trim().split(/\s+/).map(spellOutWord)
  const text = words.join(' ')
  return text.length <= maxCharacters ? text : ''
}

const maxCharacters = 40

function readName(path: JsonPath): Label {
  const last = path.at(-1) ?? ''
  if (typeof last === 'number') {
    const words = spellOutName(String(path.at(-2) ?? ''))
    const one = makeSingular(words.at(-1) ?? '')
    const item = one === undefined ? 'item' : [...words.slice(0, -1), one].join(' ')
    return { text: `${item} ${last + 1}`, takesArticle: false, owner: '' }
  }
  const words = spellOutName(last).map((word) => abbreviated.get(word) ?? word)
  const text = words.join(' ')
  if (isThing(words) && text.length <= maxCharacters) return { text, takesArticle: true, owner: '' }
  const isMadeOfWords = text !== '' && /^[\p{L}\p{M}\p{N}\s_\-./:]+$/u.test(last)
  return { text: `"${isMadeOfWords ? text : last}"`, takesArticle: false, owner: '' }
}

/** Written out, because people read it. */
const abbreviated = new Map([
  ['dir', 'folder'],
  ['idx', 'index'],
  ['lang', 'language'],
  ['lat', 'latitude'],
  ['lng', 'longitude'],
  ['lon', 'longitude'],
  ['msg', 'message'],
  ['org', 'organization'],
  ['qty', 'quantity'],
  ['repo', 'repository'],
  ['str', 'text'],
])

/** No name of a thing begins or ends with one: "What sort by should I use?" */
const linkingWords = new Set(
  'after all and any are as at before by each every for from how if in into is not of on only onto or per since than that the then until via what when where which who why with without'.split(
    ' ',
  ),
)

/** Whether an article fits: "What to unit should I use?" does not, as short words are rarely the name of a thing. */
function isThing(words: readonly string[]): boolean {
  const isWord = (word: string) => /^\p{L}{3,}$|^\d+$/u.test(word) || isAcronym(word)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return (
    words.length > 0 &&
    words.every((word) => word === 'of' || isWord(word)) &&
    !linkingWords.has(first.toLowerCase()) &&
    !linkingWords.has(last.toLowerCase())
  )
}
