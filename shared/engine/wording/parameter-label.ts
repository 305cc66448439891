import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { listTypes } from '../schema/resolve-schema.ts'
import { isAcronym, isPlural, makeSingular, spellOutName } from '../schema/words-of-name.ts'
import { lowerFirst, readPhrase, withoutTail } from './description-phrase.ts'

/** What people call a parameter. */
export interface Label {
  /** `search query`; `"q"` where the name is no words; `passenger 2` for an item of a list. */
  text: string
  /** False where no article belongs in front. */
  takesArticle: boolean
  isPlural: boolean
  /** What it is a part of: `passenger 2`, `the address`; empty at the top. */
  owner: string
}

const maxCharacters = 40

/** "What to unit should I use?" is no question; neither is there "an issue with the has garage". */
const leadsOn =
  /^(?:to|from|by|of|in|on|at|with|without|for|per|as|the|an?|is|has|have|are|was|be|should|can|do|does|will|if|not|no|only|use|using|include|enable|allow|show|get|set|after|before|since|until|under|over|where|when|how|why|what|which|who|my)$/
const trailsOff = /^(?:to|from|by|of|in|on|at|with|for|per|as|after|before|since|until|only)$/
/** `published`, `updated`; not `speed`. */
const participle = /^\p{L}{3,}[^e\W]ed$/u
const saysNothing =
  /^(?:(?:string|text|integer|number|boolean|numeric) )?(?:value|parameter|argument|field|string|number|text|object|list|array|dictionary|option|item|flag|setting)$/i
/** Objects that only wrap what is meant. */
const wrapper =
  /^(?:params?|parameters?|options?|configuration|data|body|inputs?|args|arguments|payload|request|properties|fields?|values?|object|filters?|query)$/

/** What to call the place at a path: by its title, its name, or its description where the name is no word. */
export function labelParameter(path: JsonPath, schema: JsonSchema): Label {
  const last = path.at(-1)
  if (last === undefined) return { text: 'arguments', takesArticle: true, isPlural: true, owner: '' }
  if (typeof last === 'number')
    return { ...numberedItem(path, readTitle(schema, [])), takesArticle: false, isPlural: false }
  const words = spellOutName(last)
  const owner = describeOwner(path.slice(0, -1), 2)
  const text = readTitle(schema, words) ?? (isClear(last, words, schema) ? words.join(' ') : readHead(schema))
  if (text === undefined) {
    const quoted = isPlain(last) && last.length > 2 ? words.join(' ') : last
    return { text: `"${quoted}"`, takesArticle: false, isPlural: false, owner }
  }
  const many = listTypes(schema).includes('array') || isPlural(text.replace(/ of .*/, ''))
  return { text, takesArticle: true, isPlural: many, owner }
}

/** The label inside a sentence: `the search query`, `"q"`, `the first name of passenger 2`. */
export function inSentence({ text, takesArticle, owner }: Label): string {
  const whole = owner === '' ? '' : ` ${text.startsWith('"') ? 'in' : 'of'} ${owner}`
  return `${takesArticle ? 'the ' : ''}${text}${whole}`
}

function readTitle({ title }: JsonSchema, words: string[]): string | undefined {
  if (title === undefined || title.length > maxCharacters) return undefined
  const text = title.trim().replace(/[.:?]+$/, '')
  if (text === '') return undefined
  // Generators write the name as a title.
  if (spellOutName(text).join(' ') === words.join(' ')) return undefined
  return lowerFirst(text)
}

function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_\-./: ]+$/u.test(name)
}

/** Whether the words of a name are what people would say. */
function isClear(name: string, words: string[], schema: JsonSchema): boolean {
  const [first = '', second] = words
  if (!isPlain(name) || /[^\p{Script=Latin}\P{L}]/u.test(name) || words.join(' ').length > maxCharacters)
    return false
  if (!words.some((word) => /\p{L}{3}/u.test(word) || isAcronym(word))) return false
  if (leadsOn.test(first) || trailsOff.test(words.at(-1) ?? '') || listTypes(schema).includes('boolean'))
    return false
  if (second === undefined && (participle.test(first) || !/[aeiouyA-Z]/u.test(first))) return false
  return readPhrase(schema)?.kind !== 'foreign'
}

/** What the description names first: `city` of `The city to depart from`. */
function readHead(schema: JsonSchema): string | undefined {
  const phrase = readPhrase(schema)
  if (phrase?.kind !== 'thing' || listTypes(schema).includes('boolean')) return undefined
  const text = phrase.text.replace(/^(?:the|an?) /i, '')
  const rest =
    /(?:[,;:(–—]|(?<! of) (?:the|an?|you)(?![\w-])| (?:to|that|which|who|whose|where|when|for|in|on|from|with|by|at|as|used|being|whether|if|such|based|per|(?:represent|indicat|contain|specify|describ|denot|identify|show|mark|request|includ|regard|determin)ing|\p{L}+(?:ed|ing) (?:to|in|by|as|for|with|from|on|at|when|if))(?![\w-]))/u.exec(
      text,
    )
  const head = withoutTail(text.slice(0, rest?.index))
  return head.length > maxCharacters || !/^\p{L}/u.test(head) || saysNothing.test(head) ? undefined : head
}

/** `passenger 2` for `passengers[1]`, `item 2` of `the matrix` where the list has no plural name. */
function numberedItem(path: JsonPath, title?: string): { text: string; owner: string } {
  const list = path.slice(0, -1)
  const name = list.at(-1)
  const number = Number(path.at(-1)) + 1
  const words = typeof name === 'string' ? spellOutName(name) : []
  const one = makeSingular(words.at(-1) ?? '')
  if (title !== undefined) return { text: `${title} ${number}`, owner: describeOwner(list.slice(0, -1), 1) }
  return one === undefined
    ? { text: `item ${number}`, owner: describeOwner(list, 2) }
    : {
        text: `${[...words.slice(0, -1), one].join(' ')} ${number}`,
        owner: describeOwner(list.slice(0, -1), 1),
      }
}

/** What the members of a place belong to, the nearest `most` of them. */
function describeOwner(path: JsonPath, most: number): string {
  const last = path.at(-1)
  if (last === undefined || most === 0) return ''
  if (typeof last === 'number') {
    const { text, owner } = numberedItem(path)
    return most > 1 && owner !== '' ? `${text} of ${owner}` : text
  }
  const words = spellOutName(last).join(' ')
  if (wrapper.test(words) || words.length > maxCharacters) return describeOwner(path.slice(0, -1), most)
  const further = describeOwner(path.slice(0, -1), most - 1)
  return `${isPlain(last) ? `the ${words}` : `"${last}"`}${further === '' ? '' : ` of ${further}`}`
}
