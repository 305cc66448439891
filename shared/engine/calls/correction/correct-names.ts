import type { JsonPath } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { declaredNames, flattenSchema, listAlternatives } from '../../schema/resolve-schema.ts'
import { absentNames, isSameName, judgeNearness, type NearName, nearNames } from '../names/match-members.ts'
import { objectsAround, readMemberName, selectMembers } from '../repair/argument-faults.ts'
import { memberOf, objectAt } from '../repair/argument-place.ts'
import { repairValue } from '../repair/repair-value.ts'
import { type Draft, isOpen, leaveOut, moveMember, openSlot } from './correction-draft.ts'
import { guessValue } from './guess-value.ts'
import { suggestValue } from './suggest-value.ts'

/** Beyond this many pairs, sent and declared names are not compared. */
const maxCompared = 2000
/** More candidates than this help nobody. */
const maxCandidates = 4

/** Corrects objects whose members have wrong names or are missing. */
export function correctMembers(draft: Draft, faults: readonly Fault[]): void {
  for (const path of objectsAround(faults.filter(isOfMember))) {
    correctNames(
      draft,
      path,
      selectMembers(faults, 'undeclared', path),
      selectMembers(faults, 'missing', path),
    )
  }
}

/** Whether a fault is about a name rather than a value. */
export function isOfMember({ kind }: Fault): boolean {
  return kind === 'missing' || kind === 'undeclared'
}

function correctNames(draft: Draft, path: JsonPath, undeclared: Fault[], missing: Fault[]): void {
  const { root } = draft.compiled
  const place = objectAt(root, draft.args, path)
  if (!place) return
  const { schema, shape, value: object } = place
  const absent = absentNames(shape, object).filter((name) => !isOpen(draft, [...path, name]))
  const needed = new Set(missing.map(readMemberName))
  const comparable = undeclared.length * absent.length <= maxCompared ? absent : []
  const near = undeclared.map((fault) => ({
    fault,
    names: fitting(draft, shape, fault, nearNames(root, shape, readMemberName(fault), comparable)),
  }))
  // The model may also have meant a name that another branch of anyOf declares.
  const elsewhere = listAlternatives(root, schema)
    .flatMap(declaredNames)
    .filter((name) => !(shape.properties && name in shape.properties))
  const chosen = near.map(({ fault, names }) =>
    clearChoice(
      names,
      elsewhere.some((name) => judgeNearness(readMemberName(fault), name, {}) === 'part')
        ? new Set()
        : needed,
    ),
  )
  const used = new Set<string>()
  near.forEach(({ fault, names }, index) => {
    const name = chosen[index]
    const contested = name !== undefined && chosen.filter((other) => other === name).length > 1
    if (name !== undefined && !contested) {
      moveMember(draft, fault.path, name)
      used.add(name)
      draft.suggestions.push({ fault, text: name })
      return
    }
    leaveOut(draft, fault.path)
    const twin = findTwin(root, shape, object, fault)
    if (twin !== undefined) openSlot(draft, memberOf(place, twin))
    const best = names.filter(({ nearness }) => nearness === names[0]?.nearness)
    if (best.length === 1) draft.suggestions.push({ fault, text: best[0]?.name ?? '' })
    for (const candidate of names.slice(0, maxCandidates)) {
      openSlot(draft, memberOf(place, candidate.name))
    }
  })
  if (undeclared.length > 0 && Object.keys(object).length === 0 && declaredNames(shape).length > 0) {
    if (path.length > 0) openSlot(draft, place)
    else draft.emptied = true
  }
  for (const fault of missing) if (!used.has(readMemberName(fault))) openSlot(draft, fault)
}

/** The parameter that is also present under its proper name, with another value: only the model knows which was meant. */
function findTwin(
  root: JsonSchema,
  shape: JsonSchema,
  object: Record<string, unknown>,
  fault: Fault,
): string | undefined {
  return declaredNames(shape).find(
    (name) =>
      Object.hasOwn(object, name) &&
      isSameName(readMemberName(fault), name, flattenSchema(root, shape.properties?.[name]).aliases) &&
      JSON.stringify(object[name]) !== JSON.stringify(fault.value),
  )
}

/** Candidates whose schema could accept the value. */
function fitting(draft: Draft, shape: JsonSchema, fault: Fault, names: NearName[]): NearName[] {
  return names.filter(({ name }) => accepts(draft.compiled, shape.properties?.[name] ?? true, fault.value))
}

function accepts(compiled: CompiledSchema, schema: JsonSchema | boolean, value: unknown): boolean {
  if (compiled.isValidFor(schema, value) || repairValue(compiled, schema, value)) return true
  return (
    guessValue(compiled, schema, value) !== undefined ||
    (typeof value === 'string' && suggestValue(compiled.root, schema, value, '') !== undefined)
  )
}

/** The only name close enough to move the value there. */
function clearChoice(names: readonly NearName[], needed: ReadonlySet<string>): string | undefined {
  for (const nearness of ['same', 'slip'] as const) {
    const matches = names.filter((near) => near.nearness === nearness)
    if (matches.length > 0) return matches.length === 1 ? matches[0]?.name : undefined
  }
  const parts = names.filter((near) => near.nearness === 'part')
  return parts.length === 1 && needed.has(parts[0]?.name ?? '') ? parts[0]?.name : undefined
}
