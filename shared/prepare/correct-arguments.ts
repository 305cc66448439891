import type { CompiledSchema } from '../schema/compile-schema.ts'
import { slotFor } from '../schema/describe-parameter.ts'
import { allowedValues } from '../schema/describe-schema.ts'
import type { Fault } from '../schema/find-faults.ts'
import {
  formatPath,
  isSamePath,
  isWithin,
  type JsonPath,
  parsePath,
  removeAt,
  setAt,
  valueAt,
} from '../schema/json-path.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../schema/json-value.ts'
import { shapeOf } from '../schema/question-for.ts'
import { alternativesOf, declaredNames, flattenSchema, typesOf } from '../schema/resolve-schema.ts'
import { allFaults, keyOf, membersOf, nameOf } from './argument-faults.ts'
import { placeAt, shapeFor } from './argument-place.ts'
import type { PartialArguments } from './arguments-reading.ts'
import { guessValue } from './guess-value.ts'
import { absentNames, isSameName, type NearName, nearNames, nearnessOf } from './match-members.ts'
import { repairValue } from './repair-value.ts'
import { renameMember } from './settle-arguments.ts'
import { suggestValue } from './suggest-value.ts'

export interface CorrectedArguments {
  arguments: Record<string, unknown>
  /** Paths of the slots. */
  open: string[]
  /** What was probably meant, by fault (`keyOf`). */
  suggestions: Map<string, string>
}

/** A correction under way. */
interface Draft {
  compiled: CompiledSchema
  args: Record<string, unknown>
  open: JsonPath[]
  suggestions: Map<string, string>
}

const maxRounds = 5
/** A call with more faults is not corrected, it is another call. */
const maxCorrected = 60
/** More pairs of a name sent and a name declared are not compared. */
const maxCompared = 2000
/** More candidates than this are no help to anybody. */
const maxCandidates = 4
/** With more values of a wrong type nobody knows which two changed places. */
const maxSwapped = 6

/**
 * The call as it should be sent: what is right stays, what has one careful reading is replaced, every other fault is an
 * open slot. `undefined` when no such call can be made. With `cut`, nothing that was not surely complete is kept and
 * at least one slot stays open.
 */
export function correctArguments(
  compiled: CompiledSchema,
  args: Record<string, unknown>,
  { cut, unfilled = [] }: { cut?: PartialArguments; unfilled?: readonly JsonPath[] } = {},
): CorrectedArguments | undefined {
  if (allFaults(compiled, args).length > maxCorrected) return undefined
  const draft: Draft = { compiled, args: structuredClone(args), open: [], suggestions: new Map() }
  if (cut) openUnseen(draft, cut)
  for (const path of unfilled) openSlot(draft, path, placeAt(compiled.root, draft.args, path))
  for (let round = 0; round < maxRounds; round++) {
    const faults = allFaults(compiled, draft.args).filter((fault) => !isOpen(draft, fault.path))
    if (faults.length === 0) break
    correctMembers(draft, faults)
    openSwapped(draft, faults)
    for (const fault of faults) correctValue(draft, fault, round === maxRounds - 1)
  }
  const left = allFaults(compiled, draft.args).filter((fault) => !isOpen(draft, fault.path))
  if (left.length > 0) return undefined
  if (draft.open.length === 0 && (cut || !compiled.isValid(draft.args))) return undefined
  return { arguments: draft.args, open: draft.open.map(formatPath), suggestions: draft.suggestions }
}

function isOpen(draft: Draft, path: JsonPath): boolean {
  return draft.open.some((open) => isWithin(path, open))
}

/** Puts a slot where something is still to fill. */
function openSlot(draft: Draft, path: JsonPath, place: JsonSchema | boolean): void {
  if (path.length === 0 || isOpen(draft, path)) return
  const slot = slotFor(path, shapeOf(draft.compiled.root, place))
  if (!setAt(draft.args, path, slot)) return
  draft.open = [...draft.open.filter((open) => !isWithin(open, path)), path]
}

/** Leaves a member out, with the slots inside it. */
function leaveOut(draft: Draft, path: JsonPath): void {
  removeAt(draft.args, path)
  draft.open = draft.open.filter((open) => !isWithin(open, path))
}

/** Puts a member under another name, with the slots inside it. */
function moveMember(draft: Draft, path: JsonPath, name: string): void {
  const parent = path.slice(0, -1)
  renameMember(valueAt(draft.args, parent), String(path.at(-1)), name)
  draft.open = draft.open.map((open) =>
    isWithin(open, path) ? [...parent, name, ...open.slice(path.length)] : open,
  )
}

/** Objects whose members have wrong names or are missing. */
function correctMembers(draft: Draft, faults: readonly Fault[]): void {
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
    (typeof value === 'string' && suggestionFor(compiled, schema, value, '') !== undefined)
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

/** Two values that may have changed places: each fits where the other stands, and one says nothing where it is. */
function openSwapped(draft: Draft, faults: readonly Fault[]): void {
  const { compiled } = draft
  const misfits = faults.filter((fault) => fault.kind === 'type' && !isOpen(draft, fault.path))
  if (misfits.length > maxSwapped) return
  for (const one of misfits) {
    const swapped = misfits.find(
      (other) =>
        other !== one &&
        isSamePath(one.path.slice(0, -1), other.path.slice(0, -1)) &&
        compiled.isValidFor(other.place, one.value) &&
        compiled.isValidFor(one.place, other.value),
    )
    if (!swapped || isReadable(compiled, one)) continue
    for (const fault of [one, swapped]) openSlot(draft, fault.path, fault.place)
  }
}

function isReadable(compiled: CompiledSchema, { place, value }: Fault): boolean {
  return (repairValue(compiled, place, value) ?? guessValue(compiled, place, value)) !== undefined
}

/** The only item of a list is the list that was meant: `[[1, 2]]`. */
function flattenList(draft: Draft, fault: Fault): boolean {
  const path = fault.path.slice(0, -1)
  const list = valueAt(draft.args, path)
  if (!Array.isArray(list) || list.length !== 1 || !Array.isArray(fault.value)) return false
  const place = placeAt(draft.compiled.root, draft.args, path)
  return draft.compiled.isValidFor(place, fault.value) && setAt(draft.args, path, fault.value)
}

function correctValue(draft: Draft, fault: Fault, last: boolean): void {
  if (fault.kind === 'missing' || fault.kind === 'undeclared' || isOpen(draft, fault.path)) return
  if (!samePlace(draft, fault)) return
  if (flattenList(draft, fault)) return
  const { compiled } = draft
  const name = String(fault.path.findLast((key) => typeof key === 'string') ?? '')
  // A value with a slot inside says too little to guess from.
  const certain = !last && !draft.open.some((open) => isWithin(open, fault.path))
  const repaired = certain
    ? (repairValue(compiled, fault.place, fault.value)?.value ??
      guessValue(compiled, fault.place, fault.value, name))
    : undefined
  if (typeof fault.value === 'string') {
    const suggestion = suggestionFor(compiled, fault.place, fault.value, name)
    if (suggestion !== undefined) draft.suggestions.set(keyOf(fault), String(suggestion))
  }
  if (repaired !== undefined && setAt(draft.args, fault.path, repaired)) return
  if (fault.path.length > 0) openSlot(draft, fault.path, fault.place)
  else
    for (const member of Object.keys(draft.args))
      openSlot(draft, [member], placeAt(compiled.root, draft.args, [member]))
}

/** Names may have changed since the fault was found. */
function samePlace(draft: Draft, fault: Fault): boolean {
  return fault.path.length === 0 || valueAt(draft.args, fault.path) === fault.value
}

function suggestionFor(
  compiled: CompiledSchema,
  place: JsonSchema | boolean,
  text: string,
  name: string,
): unknown {
  const shape = shapeOf(compiled.root, place)
  const allowed = allowedValues(shape)
  return allowed ? suggestValue(allowed, text, name, shape) : undefined
}

/** A text that was cut says nothing about what would have followed: every declared member not seen is open. */
function openUnseen(draft: Draft, cut: PartialArguments): void {
  const { root } = draft.compiled
  const last = cut.cut === undefined ? undefined : parsePath(cut.cut)
  for (const text of cut.unclosed) {
    const path = parsePath(text)
    const object = path && valueAt(draft.args, path)
    if (!path || !isObject(object) || isOpen(draft, path)) continue
    const place = placeAt(root, draft.args, path)
    const shape = shapeFor(root, place, object)
    if (declaredNames(shape).length === 0 && path.length > 0) openSlot(draft, path, place)
    for (const name of absentNames(shape, object))
      openSlot(draft, [...path, name], shape.properties?.[name] ?? {})
  }
  if (last && last.length > 0 && !isOpen(draft, last)) openCut(draft, last)
  if (draft.open.length > 0) return
  const final = Object.keys(draft.args).at(-1)
  if (final !== undefined) openSlot(draft, [final], flattenSchema(root, root).properties?.[final] ?? {})
}

/** The value that was cut; under a name that nobody declared it is left out, its place is open under another name. */
function openCut(draft: Draft, path: JsonPath): void {
  const parent = path.slice(0, -1)
  const object = valueAt(draft.args, parent)
  const place = placeAt(draft.compiled.root, draft.args, path)
  if (Array.isArray(object)) openSlot(draft, parent, placeAt(draft.compiled.root, draft.args, parent))
  else if (isObject(object) && !isSamePath(parent, path)) openSlot(draft, path, place)
}
