import { exactNumber, isLongNumber, jsonNumber } from '../core/exact-json.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { itemSchema, listAlternatives, listTypes } from './resolve-schema.ts'

/**
 * Formats of numbers that may have more digits than a double keeps, and so are text as well
 * (https://protobuf.dev/programming-guides/json/), each with the texts that belong to it.
 */
export const digitFormats: Record<string, (text: string) => boolean> = {
  int64: (text) => isBetween(text, -(2n ** 63n), 2n ** 63n - 1n),
  uint64: (text) => isBetween(text, 0n, 2n ** 64n - 1n),
  decimal: (text) => jsonNumber.test(text),
}

function isBetween(text: string, least: bigint, most: bigint): boolean {
  return /^-?(?:0|[1-9]\d{0,19})$/.test(text) && BigInt(text) >= least && BigInt(text) <= most
}

/** Whether a shape takes a number as the text of its digits. */
export function takesDigits(shape: JsonSchema): boolean {
  return Object.hasOwn(digitFormats, shape.format ?? '') && listTypes(shape).includes('string')
}

/** Whether it takes a number as well, so that only digits that a double would change have to be text. */
export function takesNumberOrDigits(shape: JsonSchema): boolean {
  return takesDigits(shape) && listTypes(shape).some((type) => type === 'integer' || type === 'number')
}

/** The types of a shape without the text that stands for a number. */
export function plainTypes(shape: JsonSchema): string[] {
  const types = listTypes(shape)
  return takesNumberOrDigits(shape) ? types.filter((type) => type !== 'string') : types
}

/** Whether a value is a number with too many digits for a place that takes no text. */
export function hasTooManyDigits(root: JsonSchema, place: JsonSchema | boolean, value: unknown): boolean {
  if (typeof value !== 'string' || !isLongNumber(value)) return false
  const types = listAlternatives(root, place).flatMap(listTypes)
  return types.includes('number') || (types.includes('integer') && /^-?\d+$/.test(value))
}

/**
 * The value with each text that stands for a number in the form that our wires have for equal numbers: a number, or the
 * text of its digits if a double would change it. So equal numbers are equal arguments. Changes nothing in its input.
 */
export function unifyDigits(
  compiled: CompiledSchema,
  value: Record<string, unknown>,
): Record<string, unknown> {
  return compiled.hasDigits
    ? (unify(compiled.root, compiled.root, value, 0) as Record<string, unknown>)
    : value
}

const maxDepth = 64

function unify(
  root: JsonSchema,
  place: JsonSchema | boolean | undefined,
  value: unknown,
  depth: number,
): unknown {
  if (typeof place !== 'object' || depth > maxDepth) return value
  if (typeof value === 'string') {
    const isDigits =
      jsonNumber.test(value) &&
      listAlternatives(root, place).some(
        (shape) => takesNumberOrDigits(shape) && digitFormats[shape.format ?? '']?.(value),
      )
    return isDigits ? exactNumber(value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  return listAlternatives(root, place).reduce(
    (unified, shape) => unifyInside(root, shape, unified, depth),
    value,
  )
}

function unifyInside(root: JsonSchema, shape: JsonSchema, value: object, depth: number): object {
  if (Array.isArray(value))
    return value.map((item, index) => unify(root, itemSchema(shape, index), item, depth + 1))
  const { properties = {} } = shape
  const members = Object.entries(value).map(([name, member]) => [
    name,
    Object.hasOwn(properties, name) ? unify(root, properties[name], member, depth + 1) : member,
  ])
  return Object.fromEntries(members)
}
