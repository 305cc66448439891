import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { resolveReference } from '../../../engine/schema/resolve-schema.ts'
import { SchemaError } from './schema-error.ts'
import { everySchema, isSchema, type Subschema, subschemasOf } from './subschemas.ts'

/** Places that a value is compared with where it stands, and in the whole schema with each reference followed once. */
const mostOfValue = 500
const mostInAll = 20_000
/** References in one schema; the most that were recorded are 8. */
const mostReferences = 200

/**
 * Takes out of a schema the references that lead nowhere, and those by which checking one value could take minutes: round in
 * a circle, or from one place to itself on two ways. What they said is then not checked; true if there were any. Throws
 * SchemaError for a schema that is too intricate all the same.
 */
export function cutReferences(root: JsonSchema): boolean {
  const schemas = new Set(everySchema(root))
  const referring = [...schemas].filter(({ $ref }) => $ref !== undefined)
  if (referring.length > mostReferences) throw new SchemaError('foreign_tool_too_large')
  const isDead = (target: JsonSchema | undefined) => target === undefined || !schemas.has(target)
  remove(referring.filter((schema) => isDead(targetOf(root, schema))))
  if (referring.length > 0) remove(findCircles(root))
  if (weigh(root) > mostInAll) throw new SchemaError('foreign_tool_too_large')
  if (referring.length > 0) remove(findDoubled(root))
  return referring.some(({ $ref }) => $ref === undefined)
}

function remove(schemas: Iterable<JsonSchema>): void {
  for (const schema of schemas) delete schema.$ref
}

/** What a reference points to; undefined if that is no object. */
function targetOf(root: JsonSchema, { $ref }: JsonSchema): JsonSchema | undefined {
  const target = $ref === undefined ? undefined : resolveReference(root, $ref)
  return typeof target === 'object' ? target : undefined
}

/** The schemas inside, and the one it refers to. */
function partsOf(root: JsonSchema, schema: JsonSchema): Subschema[] {
  const target = targetOf(root, schema)
  return [...subschemasOf(schema), ...(target ? [{ schema: target, step: '' }] : [])]
}

/** References that lead back to where they stand without going into the value. */
function findCircles(root: JsonSchema): Set<JsonSchema> {
  const found = new Set<JsonSchema>()
  const done = new Set<JsonSchema>()
  const visit = (schema: JsonSchema, above: ReadonlySet<JsonSchema>): void => {
    if (done.has(schema)) return
    const here = new Set(above).add(schema)
    const target = targetOf(root, schema)
    if (target && here.has(target)) found.add(schema)
    for (const { schema: part, step } of partsOf(root, schema))
      if (step === '' && !here.has(part)) visit(part, here)
    done.add(schema)
  }
  for (const schema of everySchema(root)) visit(schema, new Set())
  return found
}

/**
 * Schemas that apply if every reference is followed, once in each chain, and what stands beside alternatives is looked at with
 * each of them, as the engine and the servers of models do. Throws SchemaError if one value meets too many.
 */
function weigh(root: JsonSchema): number {
  const ofValue = memo<number>(1, (schema, count) =>
    partsOf(root, schema).reduce((all, { schema: part, step }) => all + (step === '' ? count(part) : 0), 1),
  )
  for (const schema of everySchema(root))
    if (ofValue(schema) > mostOfValue) throw new SchemaError('foreign_tool_too_large')

  const foldedInto = (schema: JsonSchema) => [...(schema.allOf ?? []).filter(isSchema), ...target(schema)]
  const target = (schema: JsonSchema) => [targetOf(root, schema)].filter((one) => one !== undefined)
  const alternatives = memo<number>(1, (schema, count) => {
    const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(isSchema)
    const beside = foldedInto(schema)
      .map(count)
      .filter((number) => number > 1)
    return Math.max(1, sum([...branches.map(count), ...beside]))
  })
  const inMembers = memo<number>(0, (schema, count) => {
    const members = subschemasOf(schema).filter(({ step }) => step !== '')
    return sum([...members.map((member) => inAll(member.schema)), ...foldedInto(schema).map(count)])
  })
  const inAll: (schema: JsonSchema) => number = memo<number>(1, (schema, count) => {
    const parts = partsOf(root, schema).filter(({ step }) => step === '')
    return 1 + alternatives(schema) * inMembers(schema) + sum(parts.map((part) => count(part.schema)))
  })
  return inAll(root)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** What is worked out of each schema once. One that is met again meanwhile counts as `meanwhile`. */
function memo<Result>(
  meanwhile: Result,
  work: (schema: JsonSchema, again: (schema: JsonSchema) => Result) => Result,
): (schema: JsonSchema) => Result {
  const known = new Map<JsonSchema, Result>()
  const get = (schema: JsonSchema): Result => {
    const before = known.get(schema)
    if (before !== undefined) return before
    known.set(schema, meanwhile)
    const result = work(schema, get)
    known.set(schema, result)
    return result
  }
  return get
}

/** A way from a schema to a reference that may lead back to it. */
interface Way {
  from: JsonSchema
  to: JsonSchema
  steps: readonly string[]
}

/** References by which a schema applies again inside of a value, where another way leads to the same place. */
function findDoubled(root: JsonSchema): Set<JsonSchema> {
  const targets = new Set(
    everySchema(root)
      .map((schema) => targetOf(root, schema))
      .filter((target) => target !== undefined),
  )
  const ways = new Map([...targets].map((target) => [target, waysFrom(root, target)]))
  const reached = new Map([...targets].map((target) => [target, reachedFrom(target, ways)]))
  const found = new Set<JsonSchema>()
  for (const [target, all] of ways) {
    const back = all.filter(({ to }) => to === target || reached.get(to)?.has(target))
    const isDoubled = back.some((one, index) =>
      back.slice(index + 1).some((other) => mayMeet(one.steps, other.steps)),
    )
    if (isDoubled) for (const { from } of back) found.add(from)
  }
  return found
}

function reachedFrom(target: JsonSchema, ways: ReadonlyMap<JsonSchema, readonly Way[]>): Set<JsonSchema> {
  const found = new Set<JsonSchema>()
  const visit = (schema: JsonSchema): void => {
    for (const { to } of ways.get(schema) ?? []) {
      if (found.has(to)) continue
      found.add(to)
      visit(to)
    }
  }
  visit(target)
  return found
}

/** The ways from a schema to the next references inside of its values. */
function waysFrom(root: JsonSchema, start: JsonSchema): Way[] {
  const found: Way[] = []
  const visit = (schema: JsonSchema, steps: readonly string[]): void => {
    const target = targetOf(root, schema)
    if (target && steps.length > 0) found.push({ from: schema, to: target, steps })
    else if (target) visit(target, steps)
    for (const { schema: part, step } of subschemasOf(schema))
      visit(part, step === '' ? steps : [...steps, step])
  }
  visit(start, [])
  return found
}

/** Whether one way may lead to, or past, the place of the other. */
function mayMeet(some: readonly string[], others: readonly string[]): boolean {
  const length = Math.min(some.length, others.length)
  return some.slice(0, length).every((step, index) => {
    const other = others[index]
    if (step === other) return true
    return step !== '[]' && other !== '[]' && (step === '*' || other === '*')
  })
}
