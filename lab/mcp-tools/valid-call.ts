import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import { type CompiledSchema, compileSchema } from '../../shared/engine/schema/compile-schema.ts'
import { itemSchema, listAlternatives, listTypes } from '../../shared/engine/schema/resolve-schema.ts'
import { exampleFor } from '../../shared/engine/wording/example-for.ts'
import { findFormat } from '../../shared/words/formats.ts'

export type Arguments = Record<string, unknown>
/** A whole number from 0 to below the given one. */
export type Random = (below: number) => number

const tries = 20
const deepest = 5
/** What is required at every depth has no end. */
const endless = 12
const words = 'amber birch cedar delta ember fjord grove heron iris jade kelp linen maple north'.split(' ')

/**
 * Arguments that the schema accepts, other ones each time: all required members and some of the others. Undefined where
 * only its author knows what fits.
 */
export function makeValidCall(schema: JsonSchema, random: Random): Arguments | undefined {
  const compiled = compileSchema(schema)
  for (let count = 0; count < tries; count++) {
    const made = makeValue(compiled, compiled.root, random, 0)
    if (isArguments(made) && compiled.isValid(made)) return made
  }
  const example = exampleFor(schema)
  return isArguments(example) ? example : undefined
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function makeValue(
  compiled: CompiledSchema,
  place: JsonSchema | boolean | undefined,
  random: Random,
  depth: number,
): unknown {
  if (depth > endless) return null
  const shapes = listAlternatives(compiled.root, place)
  const shape = pick(shapes, random)
  const allowed = shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
  if (allowed) return pick(allowed, random)
  const types = listTypes(shape).filter((type) => type !== 'null')
  const type = types.length === 0 ? 'string' : pick(types, random)
  if (type === 'object') return makeObject(compiled, shape, random, depth)
  if (type === 'array') return makeList(compiled, shape, random, depth)
  if (type === 'boolean') return random(2) === 0
  return type === 'string' ? makeText(shape, random) : makeNumber(shape, type, random)
}

function makeObject(compiled: CompiledSchema, shape: JsonSchema, random: Random, depth: number): Arguments {
  const { properties = {}, required = [] } = shape
  const members = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (depth < deepest && random(3) === 0),
  )
  return Object.fromEntries(
    members.map(([name, member]) => [name, makeValue(compiled, member, random, depth + 1)]),
  )
}

function makeList(compiled: CompiledSchema, shape: JsonSchema, random: Random, depth: number): unknown[] {
  const least = Math.max(shape.minItems ?? 1, shape.prefixItems?.length ?? 0)
  const most = Math.max(least, Math.min(shape.maxItems ?? 3, 3))
  const length = depth > deepest ? least : least + random(most - least + 1)
  return Array.from({ length }, (_, index) =>
    makeValue(compiled, itemSchema(shape, index), random, depth + 1),
  )
}

function makeText(shape: JsonSchema, random: Random): string {
  const format = findFormat(shape)
  if (format) return format.example.replace(/^name@/, `${pick(words, random)}@`)
  const given = shape.examples?.filter((one) => typeof one === 'string') ?? []
  if (shape.pattern && given.length > 0) return pick(given, random)
  const text = `${pick(words, random)} ${pick(words, random)} ${random(900) + 100}`
  return text.padEnd(shape.minLength ?? 0, ' amber').slice(0, shape.maxLength)
}

function makeNumber(shape: JsonSchema, type: string, random: Random): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape
  const low = Math.max(minimum ?? 0, typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 0)
  const high = Math.min(
    maximum ?? low + 50,
    typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : low + 50,
  )
  const whole = Math.ceil(low) + random(Math.max(1, Math.floor(high - low)))
  if (multipleOf !== undefined) return Math.ceil(whole / multipleOf) * multipleOf
  return type === 'integer' || random(2) === 0 ? whole : Math.min(whole + 0.25, high)
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}
