import { findFormat } from '../../words/formats.ts'
import { showValue } from '../../words/list-values.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { plainTypes } from './digit-format.ts'
import { allowedValues, itemSchema, listAlternatives, listTypes } from './resolve-schema.ts'

/** How many levels are drawn, and how many members of an object: the first that fits. */
const sizes = [
  [5, 4],
  [4, 4],
  [3, 4],
  [2, 4],
  [2, 2],
  [2, 1],
] as const
const mostPlaces = 3
const mostValues = 3

/** What stands where a value of a type belongs: `number`; the same words as in the sentence around it. */
export type NameType = (type: string) => string

/**
 * The form of a list or an object as JSON, with the kind of value in each place: `[[number, number], …]`,
 * `{"from": text, …}`. As deep as fits into `width` characters; undefined if that would show nothing, or if it is neither.
 */
export function sketchShape(
  root: JsonSchema,
  shape: JsonSchema,
  { name, width }: { name: NameType; width: number },
): string | undefined {
  for (const [depth, members] of sizes) {
    const text = sketchFlat(root, shape, { name, depth, members })
    if (text === undefined || /^[[{]…[\]}]$/.test(text)) return undefined
    if (text.length <= width) return text
  }
  return undefined
}

interface Drawing {
  name: NameType
  /** How many more levels are drawn. */
  depth: number
  members: number
}

function sketch(root: JsonSchema, schema: JsonSchema | boolean | undefined, drawing: Drawing): string {
  const kinds = listAlternatives(root, schema).flatMap((shape) => {
    const allowed = allowedValues(shape)
    if (allowed) return allowed.map((value) => showValue(value))
    const whole = sketchFlat(root, shape, drawing)
    return whole === undefined ? nameKinds(shape, drawing.name) : [whole]
  })
  const different = [...new Set(kinds)]
  const shown = different.slice(0, mostValues)
  return shown.join(' or ') + (different.length > shown.length ? ' or …' : '')
}

/** Without an article, since it stands for a value. */
function nameKinds(shape: JsonSchema, name: NameType): string[] {
  const format = findFormat(shape)?.noun
  const kinds = plainTypes(shape).map((type) => (type === 'string' && format) || name(type))
  return kinds.length > 0 ? kinds.filter((kind) => kind !== '') : ['value']
}

function sketchFlat(root: JsonSchema, shape: JsonSchema, drawing: Drawing): string | undefined {
  const types = listTypes(shape)
  const inside = { ...drawing, depth: drawing.depth - 1 }
  if (types.includes('array')) return sketchList(root, shape, inside)
  return types.includes('object') ? sketchObject(root, shape, inside) : undefined
}

function sketchList(root: JsonSchema, shape: JsonSchema, inside: Drawing): string {
  const fixed = shape.minItems !== undefined && shape.minItems === shape.maxItems ? shape.minItems : 0
  const positional = shape.prefixItems ?? (Array.isArray(shape.items) ? shape.items : [])
  const places = Math.max(positional.length, fixed)
  const drawn = inside.depth === 0 ? 0 : Math.max(1, places <= mostPlaces ? places : 1)
  const first = itemSchema(shape, 0)
  if (drawn === 0 || first === undefined || first === true) return '[…]'
  const items = Array.from({ length: drawn }, (_, index) => sketch(root, itemSchema(shape, index), inside))
  return `[${[...items, ...(places === drawn ? [] : ['…'])].join(', ')}]`
}

function sketchObject(root: JsonSchema, shape: JsonSchema, inside: Drawing): string {
  const { properties = {}, required = [] } = shape
  const declared = Object.keys(properties)
  const needed = declared.filter((name) => required.includes(name))
  const shown = inside.depth === 0 ? [] : (needed.length > 0 ? needed : declared).slice(0, inside.members)
  const members = shown.map((name) => `${JSON.stringify(name)}: ${sketch(root, properties[name], inside)}`)
  const isWhole = shown.length === declared.length && shown.length > 0
  return `{${[...members, ...(isWhole ? [] : ['…'])].join(', ')}}`
}
