import { canonicalJson } from '../../../engine/core/canonical-json.ts'
import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { resolveReference } from '../../../engine/schema/resolve-schema.ts'
import { rulesOf } from './without-words.ts'

type Place = JsonSchema | boolean

/**
 * Where a newer schema may refuse, or silently ignore, what an older one takes: the path of the first such place, `''` for
 * the whole. Undefined only if it certainly takes all that: parameters that were added, optional, take nothing away.
 *
 * @example
 * const open = { type: 'object', properties: { id: { type: 'string' } } }
 * refusedPlace(open, { ...open, required: ['id'] }) // => 'id'
 * refusedPlace({ ...open, required: ['id'] }, open) // => undefined
 */
export function refusedPlace(before: JsonSchema, after: JsonSchema): string | undefined {
  if (rulesOf(before) === rulesOf(after)) return undefined
  return new Comparison(before, after).compare(before, after, '')
}

/** Keywords that a larger number loosens, and those that a smaller one does. */
const looserIfLarger = new Set('maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' '))
const looserIfSmaller = new Set('minimum exclusiveMinimum minLength minItems minProperties'.split(' '))
/** Keywords without which more fits. */
const onlyRestricts = new Set(
  'type enum const pattern format uniqueItems multipleOf required not anyOf oneOf allOf items contains'.split(
    ' ',
  ),
)
const words = new Set('title description examples default writeOnly $anchor'.split(' '))
const ofDocument = new Set(['$defs', 'definitions'])
const ofDefinitions = /^#\/(?:\$defs|definitions)\//

class Comparison {
  private readonly before: JsonSchema
  private readonly after: JsonSchema
  /** Pairs that are being compared: in a circle they are alike if nothing else differs. */
  private readonly open = new Set<string>()
  private readonly haveSameDefinitions: boolean
  private steps = 0

  constructor(before: JsonSchema, after: JsonSchema) {
    this.before = before
    this.after = after
    const [old, current] = [before, after].map(({ $defs, definitions }) => rulesOf({ $defs, definitions }))
    this.haveSameDefinitions = old === current
  }

  compare(given: Place | undefined, now: Place | undefined, path: string): string | undefined {
    this.steps++
    if (this.steps > mostSteps) return path
    if (now === undefined || now === true || given === false) return undefined
    if (typeof now !== 'object') return path
    if (typeof given !== 'object') return isEmpty(now) ? undefined : path
    if (given.$ref !== undefined || now.$ref !== undefined) return this.compareReferences(given, now, path)
    // Of these, everything beside them decides what they are about.
    if (now.unevaluatedProperties !== undefined || now.unevaluatedItems !== undefined)
      return this.isSame(given, now) ? undefined : path
    for (const keyword of new Set([...Object.keys(given), ...Object.keys(now)])) {
      if (words.has(keyword) || ofDocument.has(keyword)) continue
      const refused = this.compareKeyword(keyword, given, now, path)
      if (refused !== undefined) return refused
    }
    return undefined
  }

  private compareReferences(given: JsonSchema, now: JsonSchema, path: string): string | undefined {
    const pair = `${given.$ref} ${now.$ref}`
    if (given.$ref !== undefined && now.$ref !== undefined && this.open.has(pair)) return undefined
    const [one, other] = [resolve(this.before, given), resolve(this.after, now)]
    if (one === undefined || other === undefined) return path
    this.open.add(pair)
    const refused = this.compare(one, other, path)
    this.open.delete(pair)
    return refused
  }

  /** Whether two parts are the same, with all that they refer to. */
  private isSame(before: unknown, after: unknown): boolean {
    const rules = rulesOf(before)
    if (rules !== rulesOf(after)) return false
    const references = [...rules.matchAll(/"\$ref":"([^"]*)/g)].map(([, reference = '']) => reference)
    return (
      references.length === 0 ||
      (this.haveSameDefinitions && references.every((one) => ofDefinitions.test(one)))
    )
  }

  private compareKeyword(
    keyword: string,
    given: JsonSchema,
    now: JsonSchema,
    path: string,
  ): string | undefined {
    const [before, after] = [given[keyword], now[keyword]]
    if (keyword === 'properties') return this.compareMembers(given, now, path)
    if (keyword === 'required') return firstNew(given.required, now.required, path)
    // Both at once, since one may take the place of the other.
    if (keyword === 'const' || keyword === 'enum') return takesValues(given, now) ? undefined : path
    if (this.isSame({ [keyword]: before }, { [keyword]: after })) return undefined
    if (keyword === 'additionalProperties') {
      if (before === false || after === undefined) return undefined
      return this.compare((before as Place | undefined) ?? true, after as Place, path)
    }
    if (after === undefined)
      return onlyRestricts.has(keyword) || looserIfLarger.has(keyword) || looserIfSmaller.has(keyword)
        ? undefined
        : path
    if (keyword === 'minLength' && after === 0) return undefined
    if (before === undefined) return path
    if (keyword === 'type') return takesTypes(before, after) ? undefined : path
    if (typeof before === 'number' && typeof after === 'number') {
      const isLooser = looserIfLarger.has(keyword)
        ? after >= before
        : looserIfSmaller.has(keyword) && after <= before
      return isLooser ? undefined : path
    }
    if (keyword === 'items' && !Array.isArray(before) && !Array.isArray(after))
      return this.compare(before as Place, after as Place, `${path}[]`)
    if (keyword === 'anyOf') return this.compareAlternatives(before as Place[], after as Place[], path)
    if (keyword === 'allOf') return this.compareAll(before as Place[], after as Place[], path)
    return path
  }

  private compareMembers(given: JsonSchema, now: JsonSchema, path: string): string | undefined {
    const { properties: before = {} } = given
    const { properties: after = {} } = now
    for (const [name, member] of Object.entries(before)) {
      const place = path === '' ? name : `${path}.${name}`
      if (!Object.hasOwn(after, name)) return place
      const refused = this.compare(member, after[name], place)
      if (refused !== undefined) return refused
    }
    // Where any name was one of a map's own, a new one may be among them.
    const { additionalProperties: others, patternProperties } = given
    if (typeof others !== 'object' && !patternProperties) return undefined
    const added = Object.keys(after).find((name) => !Object.hasOwn(before, name))
    return added === undefined ? undefined : path === '' ? added : `${path}.${added}`
  }

  private compareAlternatives(before: Place[], after: Place[], path: string): string | undefined {
    const isTaken = before.every((one) => after.some((other) => this.compare(one, other, path) === undefined))
    return isTaken ? undefined : path
  }

  private compareAll(before: Place[], after: Place[], path: string): string | undefined {
    if (after.length > before.length) return path
    return after.every((part, index) => this.compare(before[index], part, path) === undefined)
      ? undefined
      : path
  }
}

/** Two schemas that differ more than this are not compared to their end. */
const mostSteps = 20_000

/** What a schema refers to, if it says nothing else. */
function resolve(root: JsonSchema, schema: JsonSchema): Place | undefined {
  let place: Place | undefined = schema
  for (let hops = 0; typeof place === 'object' && place.$ref !== undefined; hops++) {
    const isAlone = Object.keys(place).every((keyword) => keyword === '$ref' || words.has(keyword))
    if (!isAlone || hops > 16) return undefined
    place = resolveReference(root, place.$ref)
  }
  return place
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => words.has(keyword) || ofDocument.has(keyword))
}

function firstNew(before: string[] = [], after: string[] = [], path: string): string | undefined {
  const name = after.find((one) => !before.includes(one))
  return name === undefined ? undefined : path === '' ? name : `${path}.${name}`
}

function takesValues(given: JsonSchema, now: JsonSchema): boolean {
  const [before, after] = [given, now].map(
    (schema) => schema.enum ?? (schema.const === undefined ? undefined : [schema.const]),
  )
  if (after === undefined) return true
  const known = new Set(after.map(canonicalJson))
  return before?.every((value) => known.has(canonicalJson(value))) ?? false
}

function takesTypes(before: unknown, after: unknown): boolean {
  const types = [after].flat()
  return [before]
    .flat()
    .every((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
}
