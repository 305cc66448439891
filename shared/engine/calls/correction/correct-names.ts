import { formatPath, isWithin, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { alternativesOf, declaredNames, flattenSchema, typesOf } from '../../schema/resolve-schema.ts'
import { shapeOf } from '../../wording/question-for.ts'
import { absentNames, isSameName, type NearName, nearNames, nearnessOf } from '../names/match-members.ts'
import { keyOf, membersOf, nameOf } from '../repair/argument-faults.ts'
import { placeAt, shapeFor } from '../repair/argument-place.ts'
import { repairValue } from '../repair/repair-value.ts'
import { type Draft, isOpen, leaveOut, moveMember, openSlot } from './correction-draft.ts'
import { guessValue } from './guess-value.ts'
import { suggestAllowed } from './suggest-value.ts'

/** More pairs of a name sent and a name declared are not compared. */
const maxCompared = 2000
/** More candidates than this are no help to anybody. */
const maxCandidates = 4

/** Objects whose members have wrong names or are missing. */
export function correctMembers(draft: Draft, faults: readonly Fault[]): void {
  const parents = new Map<string, JsonPath>()
  for (const fault of faults) {
    if (fault.kind !== 'missing' && fault.kind !== 'undeclared') continue
    const path = fault.path.slice(0, -1)
    parents.set(formatPath(path), path)
  }
  for (const path of parents.values()) {
    correctNames(draft, path, membersOf(faults, 'undeclared', path), membersOf(faults, 'missing', path))
  }
}

function correctNames(draft: Draft, path: JsonPath, undeclared: Fault[], missing: Fault[]): void {
  const { root } = draft.compiled
  const object = valueAt(draft.args, path)
  if (!isObject(object)) return
  const place = placeAt(root, draft.args, path)
  const shape = shapeFor(root, place, object)
  const absent = absentNames(shape, object).filter((name) => !isOpen(draft, [...path, name]))
  const needed = new Set(missing.map(nameOf))
  const comparable = undeclared.length * absent.length <= maxCompared ? absent : []
  const near = undeclared.map((fault) => ({
    fault,
    names: fitting(draft, shape, fault, nearNames(root, shape, nameOf(fault), comparable)),
  }))
  // What another branch of anyOf declares may be meant as well.
  const elsewhere = alternativesOf(root, place)
    .flatMap(declaredNames)
    .filter((name) => !(shape.properties && name in shape.properties))
  const chosen = near.map(({ fault, names }) =>
    clearChoice(
      names,
      elsewhere.some((name) => nearnessOf(nameOf(fault), name, {}) === 'part') ? new Set() : needed,
    ),
  )
  if (chosen.every((name) => name === undefined) && nestMembers(draft, shape, undeclared, missing)) return
  const taken = new Set<string>()
  near.forEach(({ fault, names }, index) => {
    const name = chosen[index]
    const contested = name !== undefined && chosen.filter((other) => other === name).length > 1
    if (name !== undefined && !contested) {
      moveMember(draft, fault.path, name)
      taken.add(name)
      draft.suggestions.set(keyOf(fault), name)
      return
    }
    leaveOut(draft, fault.path)
    const twin = twinOf(root, shape, object, fault)
    if (twin !== undefined) openSlot(draft, [...path, twin], shape.properties?.[twin] ?? {})
    const best = names.filter(({ nearness }) => nearness === names[0]?.nearness)
    if (best.length === 1) draft.suggestions.set(keyOf(fault), best[0]?.name ?? '')
    for (const candidate of names.slice(0, maxCandidates)) {
      openSlot(draft, [...path, candidate.name], shape.properties?.[candidate.name] ?? {})
    }
  })
  suggestByElimination(draft, shape, near, missing, taken)
  for (const fault of missing) if (!taken.has(nameOf(fault))) openSlot(draft, fault.path, fault.place)
}

/** Members that stand beside the one missing object go into it, when it alone declares them all. */
function nestMembers(
  draft: Draft,
  object: JsonSchema,
  undeclared: readonly Fault[],
  missing: readonly Fault[],
): boolean {
  const [gap, another] = missing
  if (!gap || another || undeclared.length === 0) return false
  const inside = Object.fromEntries(undeclared.map((fault) => [nameOf(fault), fault.value]))
  const names = Object.keys(inside)
  const { root } = draft.compiled
  const takers = Object.entries(object.properties ?? {}).filter(([, member]) => {
    const declared = declaredNames(shapeFor(root, member, inside))
    return names.every((name) => declared.includes(name))
  })
  if (takers.length !== 1 || takers[0]?.[0] !== nameOf(gap)) return false
  for (const fault of undeclared) removeAt(draft.args, fault.path)
  draft.open = draft.open.map((open) =>
    undeclared.some((fault) => isWithin(open, fault.path))
      ? [...gap.path, ...open.slice(gap.path.length - 1)]
      : open,
  )
  return setAt(draft.args, gap.path, inside)
}

/** The parameter that is also there in its own spelling, with another value: only the model knows which was meant. */
function twinOf(
  root: JsonSchema,
  shape: JsonSchema,
  object: Record<string, unknown>,
  fault: Fault,
): string | undefined {
  return declaredNames(shape).find(
    (name) =>
      Object.hasOwn(object, name) &&
      isSameName(nameOf(fault), name, flattenSchema(root, shape.properties?.[name]).aliases) &&
      JSON.stringify(object[name]) !== JSON.stringify(fault.value),
  )
}

/** Candidates whose schema could take the value. */
function fitting(draft: Draft, shape: JsonSchema, fault: Fault, names: NearName[]): NearName[] {
  return names.filter(({ name }) => canTake(draft.compiled, shape.properties?.[name] ?? true, fault.value))
}

function canTake(compiled: CompiledSchema, schema: JsonSchema | boolean, value: unknown): boolean {
  if (compiled.isValidFor(schema, value) || repairValue(compiled, schema, value)) return true
  return (
    guessValue(compiled, schema, value) !== undefined ||
    (typeof value === 'string' && suggestAllowed(compiled.root, schema, value, '') !== undefined)
  )
}

/** The one name that is close enough to put the value under it. */
function clearChoice(names: readonly NearName[], needed: ReadonlySet<string>): string | undefined {
  for (const nearness of ['same', 'slip'] as const) {
    const matches = names.filter((near) => near.nearness === nearness)
    if (matches.length > 0) return matches.length === 1 ? matches[0]?.name : undefined
  }
  const parts = names.filter((near) => near.nearness === 'part')
  return parts.length === 1 && needed.has(parts[0]?.name ?? '') ? parts[0]?.name : undefined
}

/** One name too many and one missing, and the value fits where not everything does: a suggestion, no more. */
function suggestByElimination(
  draft: Draft,
  shape: JsonSchema,
  near: readonly { fault: Fault; names: NearName[] }[],
  missing: readonly Fault[],
  taken: ReadonlySet<string>,
): void {
  const unexplained = near.filter(
    ({ fault, names }) => names.length === 0 && !draft.suggestions.has(keyOf(fault)),
  )
  const unfilled = missing.filter((fault) => !taken.has(nameOf(fault)))
  const [one] = unexplained
  const [gap] = unfilled
  if (!one || !gap || unexplained.length > 1 || unfilled.length > 1) return
  const member = shape.properties?.[nameOf(gap)] ?? true
  const telling = declaredNames(shape).length === 1 || isTelling(draft.compiled.root, member)
  if (telling && draft.compiled.isValidFor(member, one.fault.value)) {
    draft.suggestions.set(keyOf(one.fault), nameOf(gap))
  }
}

/** A schema that takes only some values; nearly everything is a text. */
function isTelling(root: JsonSchema, schema: JsonSchema | boolean): boolean {
  const shape = shapeOf(root, schema)
  const types = typesOf(shape)
  return (types.length > 0 && !types.includes('string')) || !!(shape.format ?? shape.pattern ?? shape.enum)
}
