import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { plainTypes } from '../../schema/digit-format.ts'
import { allowedValues, itemSchema, listAlternatives, listTypes } from '../../schema/resolve-schema.ts'
import { matchTypo } from '../names/match-enum.ts'
import { isPlaceholder } from '../repair/placeholder.ts'
import { repairValue } from '../repair/repair-value.ts'
import { guessNumber } from './guess-number.ts'

// Not `enabled`: the parameter may be called `disabled`.
const yes = new Set(['yes', 'y', 'on', 'true', 't', '1'])
const no = new Set(['no', 'n', 'off', 'false', 'f', '0'])
/** Members that describe a value instead of being it: operators, and keywords of a copied schema. */
const aboutValues =
  /^[$@_]|^(?:not|no|ne|neq|eq|gte?|lte?|min|max|minimum|maximum|from|to|in|nin|or|and|like|except|exclude|excluding|without|type|format|enum|const|description|title|default|examples?|required|error|message|question|reason|source|unit)$/i
const maxListText = 5000
const maxListItems = 200
const maxDepth = 3

/**
 * The only value that can have been meant, for a proposed correction; it is valid at its place. `undefined` if there is
 * no such reading or more than one: then the place stays open. Never runs unless the model sends it. `asItem`: see
 * `repairValue`.
 */
export function guessValue(
  compiled: CompiledSchema,
  place: JsonSchema | boolean,
  value: unknown,
  depth = 0,
  asItem = false,
): unknown {
  if (depth > maxDepth) return undefined
  const found = new Map<string, unknown>()
  for (const shape of listAlternatives(compiled.root, place)) {
    for (const candidate of guessShape(compiled, shape, value, depth, asItem)) {
      if (candidate !== undefined && compiled.isValidFor(place, candidate))
        found.set(JSON.stringify(candidate), candidate)
    }
  }
  return found.size === 1 ? [...found.values()][0] : undefined
}

function* guessShape(
  compiled: CompiledSchema,
  shape: JsonSchema,
  value: unknown,
  depth: number,
  asItem: boolean,
): Generator<unknown> {
  const types = plainTypes(shape)
  if (typeof value === 'string') yield* guessText(shape, types, value)
  if (typeof value === 'number') yield* guessOtherType(shape, types, value)
  if (types.includes('array')) {
    // An item of a list that was sent is no list of its own.
    if (!asItem) yield guessList(compiled, shape, value, depth)
  } else if (!types.includes('object') || Array.isArray(value)) {
    const inside = readOnlyValue(value)
    // In an object the value has a name: it may be something else.
    const most = isObject(value) ? maxDepth : depth
    if (!isNoValue(inside)) yield fitValue(compiled, shape, inside, most)
  }
}

/** The value itself if it fits, else its only repair or guess. */
function fitValue(
  compiled: CompiledSchema,
  place: JsonSchema | boolean,
  value: unknown,
  depth: number,
  asItem = false,
): unknown {
  if (compiled.isValidFor(place, value)) return value
  return (
    repairValue(compiled, place, value, asItem)?.value ??
    guessValue(compiled, place, value, depth + 1, asItem)
  )
}

/** The single value inside a list or an object. */
function readOnlyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? value[0] : undefined
  if (!isObject(value)) return undefined
  const [name, another] = Object.keys(value)
  return name === undefined || another !== undefined || aboutValues.test(name) ? undefined : value[name]
}

/** Also the name of a type: `{"type": "string"}` is a copied schema. */
function isNoValue(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined || value === null
  return isPlaceholder(value) || /^(?:string|number|integer|boolean|array|object)$/.test(value)
}

function* guessText(shape: JsonSchema, types: string[], text: string): Generator<unknown> {
  const allowed = allowedValues(shape)
  if (allowed) yield matchTypo(allowed, text)
  if (types.includes('string')) return
  if (types.includes('integer') || types.includes('number'))
    yield guessNumber(text, `${shape.title ?? ''} ${shape.description ?? ''}`)
  const word = text.trim().toLowerCase()
  if (types.includes('boolean') && (yes.has(word) || no.has(word))) yield yes.has(word)
}

function* guessOtherType(shape: JsonSchema, types: string[], value: number): Generator<unknown> {
  if (types.includes('boolean') && (value === 0 || value === 1)) yield value === 1
  // A zero often stands for a text that nobody gave.
  if (types.includes('string') && value !== 0 && !mayHaveLostDigits(shape, value)) yield String(value)
}

/** A phone number without its plus, one too long to be exact, or shorter than every example: `2134` for `'12345'`. */
function mayHaveLostDigits({ title, description, examples = [] }: JsonSchema, value: number): boolean {
  const text = `${title ?? ''} ${description ?? ''}`
  if (/\b(?:phone|mobile|fax|telephone|postal|post ?code)\b/i.test(text)) return true
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) : String(value).length > 15) return true
  const quoted = [...text.matchAll(/['"`](\d{1,40})['"`]/g)].map(([, digits]) => digits)
  const numbers = [...quoted, ...examples].filter((one) => typeof one === 'string' && /^\d+$/.test(one))
  return numbers.length > 0 && numbers.every((one) => String(one).length > String(value).length)
}

function guessList(compiled: CompiledSchema, shape: JsonSchema, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return splitList(compiled, shape, value, depth)
  if (Array.isArray(value) || value === null) return undefined
  const inside = readOnlyValue(value)
  if (Array.isArray(inside)) return inside
  const item = isObject(value) ? value : fitValue(compiled, itemSchema(shape, 0) ?? true, value, depth, true)
  return item === undefined ? undefined : [item]
}

/** `10, 15, 12` as a list, but only if every part is one of a few possible values; free text contains commas. */
function splitList(
  compiled: CompiledSchema,
  shape: JsonSchema,
  text: string,
  depth: number,
): unknown[] | undefined {
  if (text.length > maxListText || listTypes(shape).includes('string')) return undefined
  const items = itemSchema(shape, 0) ?? true
  const constrained = listAlternatives(compiled.root, items).every(
    (item) =>
      allowedValues(item) !== undefined ||
      item.format !== undefined ||
      (item.pattern !== undefined && !compiled.isValidFor(item, text)) ||
      !listTypes(item).includes('string'),
  )
  if (!constrained) return undefined
  const separator = [';', '\n', ','].find((mark) => text.includes(mark)) ?? '\n'
  const parts = text.split(separator).map((part) => part.trim())
  const list = parts.filter((part) => part !== '')
  if (list.length > maxListItems) return undefined
  const read = list.map((part) => fitValue(compiled, items, part, depth, true))
  return read.length > 0 && read.every((item) => item !== undefined) ? read : undefined
}
