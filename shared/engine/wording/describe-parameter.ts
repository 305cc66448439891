import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { allowedValues } from '../schema/describe-schema.ts'
import { findFormat } from '../schema/formats.ts'
import { readPhrase, shorten } from './description-phrase.ts'
import { labelParameter } from './parameter-label.ts'

const slotCharacters = 48
const listedInSlot = 6

/** The text of an open slot: `<unique identifier of the product>`. Never one word: `<title>` could be meant. */
export function slotFor(path: JsonPath, schema: JsonSchema): string {
  const text = slotText(path, schema).replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
  return /\s/.test(text) ? `<${text}>` : `<the ${text || 'value'}>`
}

function slotText(path: JsonPath, schema: JsonSchema): string {
  const allowed = allowedValues(schema)?.filter((value) => value !== null && typeof value !== 'object')
  if (allowed && allowed.length > 1 && allowed.length <= listedInSlot) {
    const listed = `one of: ${allowed.join(', ')}`
    if (listed.length <= slotCharacters) return listed
  }
  const text = whatBelongs(schema).replace(/ \([^)]*\)/g, '')
  return shorten(text, slotCharacters) || nameInSlot(path, schema)
}

/** Where nothing says what belongs there, its name does. Which item of a list it is says the path. */
function nameInSlot(path: JsonPath, schema: JsonSchema): string {
  const { text, takesArticle } = labelParameter(path, schema)
  const isItem = typeof path.at(-1) === 'number'
  const name = isItem ? text.replace(/ \d+$/, '') : text
  if (takesArticle || (isItem && name !== 'item')) return name
  const format = findFormat(schema)?.one.replace(/^an? /, '')
  return format ?? (isItem ? name : `value of ${name.replace(/^"|"$/g, '')}`)
}

/** What belongs there without an article, from the hint or the description. */
function whatBelongs(schema: JsonSchema): string {
  const hint = schema.hint?.replace(/^please (?:provide|enter|give|specify) /i, '').replace(/\.$/, '')
  if (hint) return hint.replace(/^(?:the|an?) /i, '')
  const phrase = readPhrase(schema)
  return phrase === undefined || phrase.kind === 'note' ? '' : phrase.text.replace(/^(?:the|an?) /i, '')
}
