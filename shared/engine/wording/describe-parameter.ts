import { findFormat } from '../../words/formats.ts'
import { clipText } from '../core/clip-text.ts'
import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { allowedValues, pickShape, schemaAt } from '../schema/resolve-schema.ts'
import { firstSentence } from './first-sentence.ts'
import { labelParameter, withoutWrapper } from './parameter-label.ts'

const slotCharacters = 48
const listedInSlot = 6

/** The text of an open slot: `<unique identifier of the product>`. Never a single word: `<title>` could be a real value. */
export function slotFor(path: JsonPath, schema: JsonSchema): string {
  const text = slotText(path, schema).replace(/[<>"]/g, '').replace(/\s+/g, ' ').trim()
  return /\s/.test(text) ? `<${text}>` : `<the ${text || 'value'}>`
}

function slotText(path: JsonPath, schema: JsonSchema): string {
  const allowed = allowedValues(schema)?.filter((value) => value !== null && typeof value !== 'object')
  if (allowed && allowed.length > 1 && allowed.length <= listedInSlot) {
    const listed = `one of: ${allowed.join(', ')}`
    if (listed.length <= slotCharacters) return listed
  }
  const { text, takesArticle } = labelParameter(path, schema)
  const name = takesArticle ? text : (schema.title ?? findFormat(schema)?.noun ?? `value of ${text}`)
  return whatBelongs(schema) || name
}

/**
 * The label of a form field for a place, like a title: `recipient email address 2` for `to[1]`, `first name of
 * passenger 2`.
 */
export function titleField(root: JsonSchema, path: JsonPath): string {
  const shape = pickShape(root, schemaAt(root, path))
  const last = path.at(-1)
  if (typeof last === 'number') {
    const list = pickShape(root, schemaAt(root, path.slice(0, -1)))
    // Items of two lists may have the same title: the list's own tells them apart.
    const item = (shape.title && (list.title ?? shape.title)) || whatBelongs(shape) || whatBelongs(list)
    if (item !== '') return `${item}${last === 0 ? '' : ` ${last + 1}`}`
  }
  if (shape.title !== undefined) return shape.title
  const { text, owner } = labelParameter(withoutWrapper(root, path), shape)
  return `${text.replace(/^"|"$/g, '')}${owner === '' ? '' : ` of ${owner}`}`
}

/** What belongs there without an article, from the hint or the description; clipped. */
function whatBelongs(schema: JsonSchema): string {
  const hint = schema.hint?.slice(0, slotCharacters * 2)
  const said = hint?.replace(/^please (?:provide|enter|give|specify) /i, '').replace(/\.$/, '')
  const text = (said || firstSentence(schema)).replace(/^(?:the|an?) /i, '').replace(/ \([^)]*(?:\)|$)/g, '')
  return clipText(text, slotCharacters)
}
