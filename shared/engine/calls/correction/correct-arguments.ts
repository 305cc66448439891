import { distinctPaths, formatPath, isWithin, type JsonPath, setAt, valueAt } from '../../core/json-path.ts'
import type { Correction } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { PartialArguments } from '../../reading/arguments-reading.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { listAlternatives, listTypes } from '../../schema/resolve-schema.ts'
import { allFaults } from '../repair/argument-faults.ts'
import { placeAt } from '../repair/argument-place.ts'
import type { RepairedArguments } from '../repair/repair-arguments.ts'
import { repairValue } from '../repair/repair-value.ts'
import { correctMembers, isOfMember } from './correct-names.ts'
import { type Draft, isOpen, type OpenPlace, openSlot, type Suggestion } from './correction-draft.ts'
import { guessValue } from './guess-value.ts'
import { openDoubtfulLists } from './one-list-too-many.ts'
import { openUnseen } from './open-unseen.ts'
import { suggestValue } from './suggest-value.ts'

export interface CorrectedArguments {
  arguments: Record<string, unknown>
  /** Where slots stand. */
  open: readonly OpenPlace[]
  suggestions: readonly Suggestion[]
}

const maxRounds = 5
/** With more faults it is a different call, which is not corrected. */
const maxCorrected = 60

/**
 * The call as it should be sent, from what repairs have left of it: whatever is right stays, whatever has one safe reading is replaced, every other fault
 * becomes an open slot. `undefined` if there is no such call. With `cut`, only values that were certainly complete are
 * kept, and at least one slot stays open.
 */
export function correctArguments(
  compiled: CompiledSchema,
  { args, remaining }: RepairedArguments,
  { cut, unfilled = [] }: { cut?: PartialArguments; unfilled?: readonly OpenPlace[] } = {},
): CorrectedArguments | undefined {
  if (remaining.length > maxCorrected) return undefined
  const draft: Draft = { compiled, args: structuredClone(args), open: [], suggestions: [] }
  if (cut) openUnseen(draft, cut)
  for (const place of unfilled) openSlot(draft, place)
  for (let round = 0; round < maxRounds; round++) {
    const faults = allFaults(compiled, draft.args).filter((fault) => !isOpen(draft, fault.path))
    if (faults.length === 0) break
    correctMembers(draft, faults)
    wrapRows(draft, faults)
    for (const fault of faults) correctValue(draft, fault, round === maxRounds - 1)
  }
  openDoubtfulLists(draft, args, remaining)
  const left = allFaults(compiled, draft.args).filter((fault) => !isOpen(draft, fault.path))
  if (left.length > 0) return undefined
  if (draft.open.length === 0 && (cut || draft.emptied || !compiled.isValid(draft.args))) return undefined
  return { arguments: draft.args, open: draft.open, suggestions: draft.suggestions }
}

function correctValue(draft: Draft, fault: Fault, last: boolean): void {
  if (isOfMember(fault) || isOpen(draft, fault.path)) return
  if (!samePlace(draft, fault)) return
  const { compiled } = draft
  const name = String(fault.path.findLast((key) => typeof key === 'string') ?? '')
  const asItem = typeof fault.path.at(-1) === 'number'
  // A value with a slot inside says too little to guess from.
  const certain = !last && !draft.open.some((open) => isWithin(open.path, fault.path))
  const repaired = certain
    ? (repairValue(compiled, fault.schema, fault.value, asItem)?.value ??
      guessValue(compiled, fault.schema, fault.value, 0, asItem))
    : undefined
  if (typeof fault.value === 'string') {
    const suggestion = suggestValue(compiled.root, fault.schema, fault.value, name)
    if (suggestion !== undefined) draft.suggestions.push({ fault, text: String(suggestion) })
  }
  if (repaired !== undefined && setAt(draft.args, fault.path, repaired)) return
  if (fault.path.length > 0) openSlot(draft, fault)
  else
    for (const member of Object.keys(draft.args))
      openSlot(draft, placeAt(compiled.root, draft.args, [member]))
}

/**
 * Where each item should be a list and none is, the items may be one row: `["a", "b"]` for `[["a", "b"]]`. With more levels,
 * or if that does not fit, the whole list is open.
 */
function wrapRows(draft: Draft, faults: readonly Fault[]): void {
  const { compiled, args } = draft
  const ofItems = faults.filter(({ kind, path }) => kind === 'type' && typeof path.at(-1) === 'number')
  const outermost = ofItems.map(({ path }) =>
    path.slice(
      0,
      path.findIndex((key) => typeof key === 'number'),
    ),
  )
  for (const path of distinctPaths(outermost)) {
    const place = placeAt(compiled.root, args, path)
    const { schema, value: items } = place
    if (
      isOpen(draft, path) ||
      !Array.isArray(items) ||
      !items.every((item, index) => isLeaf(item) && wantsList(compiled, args, [...path, index]))
    )
      continue
    if (compiled.isValidFor(schema, [items])) setAt(args, path, [items])
    else openSlot(draft, place)
  }
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined
}

function wantsList(compiled: CompiledSchema, args: unknown, path: JsonPath): boolean {
  const shapes = listAlternatives(compiled.root, placeAt(compiled.root, args, path).schema)
  return shapes.every(
    (shape) =>
      listTypes(shape).length > 0 && listTypes(shape).every((type) => type === 'array' || type === 'null'),
  )
}

/** Names may have changed since the fault was found. */
function samePlace(draft: Draft, fault: Fault): boolean {
  return fault.path.length === 0 || valueAt(draft.args, fault.path) === fault.value
}

/** A corrected call as errors have it, with its paths as text. */
export function writeCorrection(
  tool: ToolSpecification,
  corrected: CorrectedArguments | undefined,
): Correction | undefined {
  return (
    corrected && {
      name: tool.name,
      arguments: corrected.arguments,
      open: corrected.open.map(({ path }) => formatPath(path)),
    }
  )
}
