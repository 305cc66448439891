import { findFormat } from '../../words/formats.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts'
import { flattenSchema, itemSchema, listAlternatives, listTypes } from '../schema/resolve-schema.ts'

const maxDepth = 8
const maxItems = 20
/** Candidates tried in total for one example: a schema that nothing fits must not cost more. */
const maxTries = 400

interface Search {
  compiled: CompiledSchema
  tries: number
}

/**
 * A value that the schema accepts: from its own examples if it has some, otherwise made from types, formats and
 * bounds. `undefined` if none was found, for example if only a pattern says what fits. Optional members are left out.
 *
 * @example
 * exampleFor({ type: 'object', properties: { to: { type: 'string', format: 'email' } }, required: ['to'] })
 * // => { to: 'name@example.com' }
 */
export function exampleFor(schema: JsonSchema | boolean): unknown {
  const compiled = compileSchema(schema)
  const known = examples.get(compiled)
  if (known) return structuredClone(known.example)
  const found = findExample({ compiled, tries: 0 }, compiled.root, 'value', 0)
  const example = found !== undefined && compiled.isValid(found) ? found : undefined
  examples.set(compiled, { example })
  return structuredClone(example)
}

const examples = new WeakMap<CompiledSchema, { example: unknown }>()

/** `name` influences the text of strings. */
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
  yield shape.const
  yield* shape.enum ?? []
  if (shape.default !== null && shape.default !== '') yield shape.default
  const types = listTypes(shape)
  for (const type of types.length > 0 ? types : ['string', 'object']) {
    if (type === 'string') yield* texts(shape, name)
    else if (type === 'boolean') yield true
    else if (type === 'null') yield null
    else if (type === 'array') yield* lists(search, shape, name, depth)
    else if (type === 'object') yield* objects(search, shape, depth)
    else yield* numbers(shape)
  }
}

/** `such as 'ZFA04Y'`, `e.g. "Boston, MA"`. */
const stated = /(?:such as|e\.?g\.?|for example|like)[:,]? (?:'([^']{1,80})'|"([^"]{1,80})"|`([^`]{1,80})`)/i
/** Descriptions of other people's tools may be of any length. */
const readCharacters = 2000

/**
 * The texts that stand for a value in what we or the schema show, and are no value themselves: those of one word may be
 * one, like `application/pdf`.
 */
export function exampleTexts(shape: JsonSchema, name: string): string[] {
  const own = findFormat(shape)?.example ?? textOf(name)
  const [, ...quoted] = stated.exec(shape.description?.slice(0, readCharacters) ?? '') ?? []
  const shown = [...(shape.examples ?? []), ...quoted].filter(
    (text) => typeof text === 'string' && /\S\s+\S/.test(text),
  )
  return [own, ...shown] as string[]
}

function* texts(shape: JsonSchema, name: string): Generator<string | undefined> {
  yield findFormat(shape)?.example
  const [, ...quoted] = stated.exec(shape.description?.slice(0, readCharacters) ?? '') ?? []
  yield quoted.find((text) => text !== undefined)
  yield textOf(name)
    .padEnd(shape.minLength ?? 1, ' text')
    .slice(0, shape.maxLength)
}

function textOf(name: string): string {
  return name.replace(/[_-]+/g, ' ').trim() || 'text'
}

function* numbers(shape: JsonSchema): Generator<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = shape
  yield* [1, 10]
  for (const bound of [minimum, exclusiveMinimum, maximum, exclusiveMaximum]) {
    if (typeof bound !== 'number') continue
    yield bound
    const nearest = Math.ceil(bound / multipleOf) * multipleOf
    yield* [nearest, nearest + multipleOf, nearest - multipleOf]
  }
}

function* lists(search: Search, shape: JsonSchema, name: string, depth: number): Generator<unknown[]> {
  const positional = shape.prefixItems?.length ?? (Array.isArray(shape.items) ? shape.items.length : 0)
  const length = Math.min(Math.max(shape.minItems ?? 1, positional), maxItems)
  const item = (schema: JsonSchema | boolean) => findExample(search, schema, name, depth + 1)
  const items = Array.from({ length }, (_, index) => item(itemSchema(shape, index) ?? true))
  yield items.filter((value) => value !== undefined)
  const needed = shape.contains === undefined ? undefined : item(shape.contains)
  if (needed !== undefined) yield Array(length).fill(needed)
  yield []
}

function* objects(search: Search, shape: JsonSchema, depth: number): Generator<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties } = shape
  const declared = Object.keys(properties)
  // Conditions may require more than `required` says.
  for (const names of [required, [...new Set([...required, ...declared])]]) {
    const members = names.map((name) => {
      const schema = properties[name] ?? flattenSchema(search.compiled.root, additionalProperties)
      return [name, findExample(search, schema, name, depth + 1)] as const
    })
    if (members.every(([, value]) => value !== undefined)) yield Object.fromEntries(members)
  }
}
