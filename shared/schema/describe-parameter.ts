import { allowedValues } from './describe-schema.ts'
import type { JsonPath } from './json-path.ts'
import type { JsonSchema } from './json-schema.ts'

const phraseCharacters = 140
const slotCharacters = 60
const labelCharacters = 40
const listedInSlot = 6

/** Words that a description starts with before it names the thing. */
const preface =
  /^(?:(?:\[optional\]|\(optional\)|optional|required)[.:,;]?\s+|(?:specifies|indicates|defines|determines|describes|represents|contains|controls|sets|denotes|provides|is|this is|represents)\s+(?=the |a |an |which |whether |how |if )|please (?:provide|enter|give|specify) )/i

/** `activity_level` as people say it: `activity level`; the last name of a path. */
export function labelOf(path: JsonPath, schema: JsonSchema): string {
  if (schema.title) return lowerFirst(schema.title.trim())
  const name = path.findLast((key) => typeof key === 'string')
  if (name === undefined) return path.length > 0 ? 'item' : 'value'
  // Nobody asks "what to?" or "what q?".
  const phrase = String(name).length <= 2 ? shortPhrase(schema) : ''
  if (phrase !== '' && phrase.length <= labelCharacters) return phrase
  const words = String(name)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
  return words.toLowerCase()
}

/** What a parameter is, from its description: `the unique identifier of the product`; empty when nobody says. */
export function nounPhrase(schema: JsonSchema): string {
  const description = schema.description?.replace(/\s+/g, ' ').trim()
  if (!description) return ''
  let text = firstSentence(description)
  for (let previous = ''; previous !== text; ) {
    previous = text
    text = text.replace(preface, '')
  }
  text = shorten(text.replace(/[.:;,]+$/, ''), phraseCharacters)
  if (text === '') return ''
  text = lowerFirst(text)
  return startsPhrase.test(text) ? text : `the ${text}`
}

const startsPhrase =
  /^(?:(?:the|a|an|any|all|your|our|their|its|this|these|that|which|what|where|when|who|whom|whose|how|whether|if|one|two|some|must|should|can|use|set)\b|[\d"'“‘(])/i

/** The text of an open slot: `<unique identifier of the product>`. */
export function slotFor(path: JsonPath, schema: JsonSchema): string {
  return `<${slotText(path, schema).replace(/[<>]/g, '').trim()}>`
}

function slotText(path: JsonPath, schema: JsonSchema): string {
  const allowed = allowedValues(schema)?.filter((value) => value !== null && typeof value !== 'object')
  if (allowed && allowed.length > 1 && allowed.length <= listedInSlot) {
    const listed = `one of: ${allowed.join(', ')}`
    if (listed.length <= slotCharacters) return listed
  }
  return shorten(shortPhrase(schema), slotCharacters) || labelOf(path, schema)
}

/** What belongs there without an article, from the hint or the description. */
function shortPhrase(schema: JsonSchema): string {
  const hint = schema.hint?.replace(/^please (?:provide|enter|give|specify) /i, '').replace(/\.$/, '')
  return (hint || nounPhrase(schema)).replace(/^(?:the|a|an) /i, '')
}

/** What the description says first, as a sentence; empty when nobody says. */
export function firstSentenceOf(schema: JsonSchema): string {
  const text = firstSentence(schema.description?.replace(/\s+/g, ' ').trim() ?? '')
  return text === '' ? '' : `${shorten(text.replace(/[.:;,]+$/, ''), phraseCharacters)}.`
}

/** The first sentence; a dot inside a number, an address or an abbreviation ends none. */
function firstSentence(text: string): string {
  const match = /^(.*?[^\s.]{3,})[.!?](?=\s+[\p{Lu}\d("'[]|$)/u.exec(text)
  return match?.[1] ?? text
}

/** Cuts at a word, and not behind one that leads on to the next. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2))
  const tail =
    /(?:[\s,;:.('"]+|\s(?:a|an|the|of|in|on|at|to|for|and|or|is|be|by|with|from|that|which|where|whose|such|as|if|it|its|can))+$/i
  return words.replace(tail, '')
}

/** Lower-cases a sentence's first letter, unless it begins a name or an abbreviation. */
function lowerFirst(text: string): string {
  return /^\p{Lu}(?:\p{Ll}|\s|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
