import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { listTypes } from '../schema/resolve-schema.ts'
import { isAcronym, makeSingular, spellOutName } from '../schema/words-of-name.ts'

/** The name of a parameter for people. */
export interface Label {
  /** `search query`; `"q"` if the name is not made of words; `passenger 2` for a list item. */
  text: string
  /** Whether it takes an article. */
  takesArticle: boolean
  /** What it is a part of: `passenger 2`, `the address`; empty at the top level. */
  owner: string
}

/** The label of a place: from its title, else from its name. */
export function labelParameter(path: JsonPath, schema: JsonSchema): Label {
  if (path.length === 0) return { text: 'arguments', takesArticle: true, owner: '' }
  const isItem = typeof path.at(-1) === 'number'
  const owner = isItem || path.length === 1 ? '' : inSentence(readName(path.slice(0, -1)))
  const title = schema.title?.trim().toLowerCase()
  if (title && !isItem && title.length <= maxCharacters) return { text: title, takesArticle: true, owner }
  const name = readName(path)
  // "Should the monthly be true or false?" is not a good question.
  const isFlag = name.takesArticle && listTypes(schema).includes('boolean')
  return { ...name, ...(isFlag ? { text: `"${name.text}"`, takesArticle: false } : {}), owner }
}

/** The label inside a sentence: `the search query`, `"q"`, `the first name of passenger 2`. */
export function inSentence({ text, takesArticle, owner }: Label): string {
  return `${takesArticle ? 'the ' : ''}${text}${owner === '' ? '' : ` of ${owner}`}`
}

/** The name in front of a value, in words: `bcc`; without the prefix that its title leaves out: `order id` for `p_order_id`. */
export function nameShort(name: string, { properties }: JsonSchema): string {
  const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  const title = typeof property === 'object' ? property.title : undefined
  const isTail = title !== undefined && title !== '' && name.endsWith(`_${title.replaceAll(' ', '_')}`)
  return isTail ? title : name.replaceAll('_', ' ')
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
  const words = spellOutName(last)
  const text = words.join(' ')
  // "What to unit should I use?" is not either: short words are rarely the name of a thing.
  const isClear = words.every((word) => /^\p{L}{3,}$|^\d+$/u.test(word) || isAcronym(word))
  return isClear && text !== '' && text.length <= maxCharacters
    ? { text, takesArticle: true, owner: '' }
    : { text: `"${text || last}"`, takesArticle: false, owner: '' }
}
