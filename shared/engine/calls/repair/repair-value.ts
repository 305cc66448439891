import { jsonNumber, keepsDigits } from '../../core/exact-json.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { readEmbeddedJson } from '../../reading/embedded-json.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { plainTypes, takesDigits, takesNumberOrDigits } from '../../schema/digit-format.ts'
import {
  allowedValues,
  itemSchema,
  jsonTypeOf,
  listAlternatives,
  listTypes,
} from '../../schema/resolve-schema.ts'
import { matchSpelling } from '../names/match-enum.ts'
import { isPlaceholder } from './placeholder.ts'

interface RepairedValue {
  value: unknown
  rule: 'number' | 'digits' | 'boolean' | 'json-text' | 'one-item-array' | 'enum-spelling'
}

/**
 * The only other way to write a value so that its type, or its spelling in an enum, fits the place; `undefined` if there
 * is none or more than one. Nothing is lost or guessed: `"5"` is 5, but 5 is not `"5"`,
 * which may have lost a zero. `asItem`: it is an item of a list that was sent, and so is no list of its own.
 */
export function repairValue(
  compiled: CompiledSchema,
  place: JsonSchema | boolean,
  value: unknown,
  asItem = false,
): RepairedValue | undefined {
  const found = new Map<string, RepairedValue>()
  for (const shape of listAlternatives(compiled.root, place)) {
    const repaired = repairForShape(compiled, shape, value, asItem)
    if (repaired && fitsType(shape, repaired.value)) found.set(JSON.stringify(repaired.value), repaired)
  }
  return found.size === 1 ? [...found.values()][0] : undefined
}

function repairForShape(
  compiled: CompiledSchema,
  shape: JsonSchema,
  value: unknown,
  asItem: boolean,
): RepairedValue | undefined {
  const types = plainTypes(shape)
  const allowed = allowedValues(shape)
  if (typeof value === 'string') {
    if (allowed) {
      const spelled = matchSpelling(allowed, value)
      if (spelled !== undefined) return { value: spelled, rule: 'enum-spelling' }
    }
    if (types.includes('string')) return undefined
    if (types.includes('number') || types.includes('integer')) {
      const number = readNumber(value, !types.includes('number'))
      if (number !== undefined) return { value: number, rule: 'number' }
    }
    if (types.includes('boolean') && /^\s*(?:true|false)\s*$/i.test(value)) {
      return { value: value.trim().toLowerCase() === 'true', rule: 'boolean' }
    }
    const json =
      shape.json || types.includes('object') || types.includes('array') ? readEmbeddedJson(value) : undefined
    if (json !== undefined && (shape.json || types.includes(jsonTypeOf(json))))
      return { value: json, rule: 'json-text' }
  }
  if (typeof value === 'number' && takesDigits(shape) && !takesNumberOrDigits(shape))
    return { value: String(value), rule: 'digits' }
  return types.includes('array') && !asItem ? wrapInArray(compiled, shape, value) : undefined
}

/** The number in a text, if no digit is lost; `5.000` is not an integer: it may mean five thousand. */
function readNumber(text: string, integer: boolean): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 40 || !jsonNumber.test(trimmed)) return undefined
  if (integer && (!Number.isInteger(Number(trimmed)) || /\.\d{3}$/.test(trimmed))) return undefined
  return keepsDigits(trimmed) ? Number(trimmed) : undefined
}

/** Marks that may separate the items of a list. */
const severalValues = /[,;\n\r|\t，、；]|^\s*[[{]/

/** A single value where a list is expected; not a text that could be a list itself, or that stands for nothing. */
function wrapInArray(compiled: CompiledSchema, shape: JsonSchema, value: unknown): RepairedValue | undefined {
  if (value === null || typeof value === 'object') return undefined
  if (typeof value === 'string') {
    if (value.trim() === '' || severalValues.test(value) || isPlaceholder(value)) return undefined
  }
  const items = itemSchema(shape, 0) ?? true
  if (compiled.isValidFor(items, value)) return { value: [value], rule: 'one-item-array' }
  const item = repairValue(compiled, items, value, true)
  return item && compiled.isValidFor(items, item.value)
    ? { value: [item.value], rule: 'one-item-array' }
    : undefined
}

function fitsType(shape: JsonSchema, value: unknown): boolean {
  const types = listTypes(shape)
  const type = jsonTypeOf(value)
  return (
    types.length === 0 ||
    types.includes(type) ||
    (type === 'number' && types.includes('integer') && Number.isInteger(value))
  )
}
