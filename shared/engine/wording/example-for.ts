import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts'
import { wantsDistinctItems } from '../schema/describe-schema.ts'
import { findFormat } from '../schema/formats.ts'
import { flattenSchema, itemSchema, listAlternatives, listTypes } from '../schema/resolve-schema.ts'
import { makeSingular } from '../schema/words-of-name.ts'
import { samplePattern } from './sample-pattern.ts'
import { statedExamples } from './stated-examples.ts'

const maxDepth = 8
/** Candidates tried in all for one example: a schema that nothing fits must not cost more. */
const maxTries = 400

interface Search {
  compiled: CompiledSchema
  tries: number
}

/**
 * A value that the schema accepts: from its own examples where it has some, otherwise made from types, formats, bounds
 * and patterns. `undefined` when none was found. Optional members are left out.
 *
 * @example
 * exampleFor({ type: 'object', properties: { to: { type: 'string', format: 'email' } }, required: ['to'] })
 * // => { to: 'ada@example.com' }
 */
export function exampleFor(schema: JsonSchema | boolean): unknown {
  const compiled = compileSchema(schema)
  const known = examples.get(compiled)
  if (known) return structuredClone(known.example)
  const example = findExample({ compiled, tries: 0 }, compiled.root, 'value', 0)
  examples.set(compiled, { example })
  return structuredClone(example)
}

const examples = new WeakMap<CompiledSchema, { example: unknown }>()

/** `name` flavours texts. */
function findExample(search: Search, schema: JsonSchema | boolean, name: string, depth: number): unknown {
  if (depth > maxDepth) return undefined
  for (const shape of listAlternatives(search.compiled.root, schema)) {
    for (const candidate of candidatesFor(search, shape, name, depth)) {
      if (candidate !== undefined && search.compiled.isValidFor(schema, candidate)) return candidate
      if (++search.tries > maxTries) return undefined
    }
  }
  return undefined
}

function* candidatesFor(search: Search, shape: JsonSchema, name: string, depth: number): Generator<unknown> {
  yield* shape.examples ?? []
  if (shape.const !== undefined) yield shape.const
  yield* shape.enum ?? []
  if (shape.default !== undefined && shape.default !== null && shape.default !== '') yield shape.default
  const types = listTypes(shape)
  for (const type of types.length > 0 ? types : ['string', 'object']) {
    if (type === 'string') yield* texts(shape, name)
    else if (type === 'integer' || type === 'number') yield* numbers(shape, type)
    else if (type === 'boolean') yield* [true, false]
    else if (type === 'null') yield null
    else if (type === 'array') yield* arrays(search, shape, name, depth)
    else if (type === 'object') yield* objects(search, shape, depth)
  }
}

function* texts(shape: JsonSchema, name: string): Generator<string> {
  const format = findFormat(shape)
  if (format) yield format.example
  if (shape.pattern !== undefined) yield samplePattern(shape.pattern) ?? ''
  yield* statedExamples(shape)
  const text = name.replace(/[_-]+/g, ' ').trim() || 'text'
  const least = shape.minLength ?? 1
  const most = shape.maxLength ?? Math.max(least, text.length)
  yield text.padEnd(least, ' text').slice(0, Math.max(most, 0))
}

function* numbers(shape: JsonSchema, type: string): Generator<number> {
  for (const example of statedExamples(shape)) if (example.trim() !== '') yield Number(example)
  const low = shape.minimum ?? numeric(shape.exclusiveMinimum)
  const high = shape.maximum ?? numeric(shape.exclusiveMaximum)
  const step = shape.multipleOf ?? 1
  const start = low ?? (high !== undefined && high < 1 ? high - step : 1)
  const first = Math.ceil(start / step) * step
  yield* [1, 10, first, first + step, Math.floor((high ?? first) / step) * step]
  if (type === 'number') yield* [start, (start + (high ?? start + 1)) / 2]
}

function numeric(bound: number | boolean | undefined): number | undefined {
  return typeof bound === 'number' ? bound : undefined
}

function* arrays(search: Search, shape: JsonSchema, name: string, depth: number): Generator<unknown[]> {
  const positional = shape.prefixItems?.length ?? (Array.isArray(shape.items) ? shape.items.length : 0)
  const length = Math.min(Math.max(shape.minItems ?? 1, positional), 20)
  const items: unknown[] = []
  const single = makeSingular(name) ?? name
  for (let index = 0; index < length; index++) {
    const item = findExample(search, itemSchema(shape, index) ?? true, single, depth + 1)
    if (item !== undefined)
      items.push(wantsDistinctItems(shape) && items.includes(item) ? another(shape, item, index) : item)
  }
  yield items
  if (shape.contains !== undefined) {
    const needed = findExample(search, shape.contains, single, depth + 1)
    if (needed !== undefined) yield Array(Math.max(length, shape.minContains ?? 1)).fill(needed)
  }
  yield []
}

/** A second, different item for lists without duplicates. */
function another(shape: JsonSchema, item: unknown, index: number): unknown {
  const choices =
    typeof shape.items === 'object' && !Array.isArray(shape.items) ? shape.items.enum : undefined
  if (choices) return choices[index]
  if (typeof item === 'string') return `${item} ${index + 1}`
  return typeof item === 'number' ? item + index : item
}

function* objects(search: Search, shape: JsonSchema, depth: number): Generator<Record<string, unknown>> {
  const required = objectWith(search, shape, shape.required ?? [], depth)
  if (required) yield required
  // Conditions may want more than `required` says: one member at a time, then all.
  const names = Object.keys(shape.properties ?? {})
  for (const name of names) {
    const more = objectWith(search, shape, [...(shape.required ?? []), name], depth)
    if (more) yield more
  }
  const all = objectWith(search, shape, names, depth)
  if (all) yield all
  if (!shape.properties) yield { key: 'value' }
}

function objectWith(
  search: Search,
  shape: JsonSchema,
  names: string[],
  depth: number,
): Record<string, unknown> | undefined {
  const object: Record<string, unknown> = {}
  for (const name of names) {
    const member = shape.properties?.[name] ?? additional(search, shape)
    const value = findExample(search, member, name, depth + 1)
    if (value === undefined) return undefined
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return object
}

function additional(search: Search, shape: JsonSchema): JsonSchema | boolean {
  return isObject(shape.additionalProperties)
    ? flattenSchema(search.compiled.root, shape.additionalProperties)
    : true
}
