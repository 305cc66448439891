import { isWithin, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import type { Place } from '../../schema/place.ts'
import { pickShape } from '../../schema/resolve-schema.ts'
import { slotFor } from '../../wording/describe-parameter.ts'
import { renameMember } from '../repair/repair-arguments.ts'

/** A place that still has to be filled: a slot stands there. */
export type OpenPlace = Omit<Place, 'value'>

/** The name or value that was probably meant; of two for one fault, the later one counts. */
export interface Suggestion {
  fault: Fault
  text: string
}

/** A correction in progress. */
export interface Draft {
  compiled: CompiledSchema
  args: Record<string, unknown>
  open: OpenPlace[]
  suggestions: Suggestion[]
  /** Everything that was sent has been left out: another call, which does more or something else. */
  emptied?: boolean
}

export function isOpen(draft: Draft, path: JsonPath): boolean {
  return draft.open.some((open) => isWithin(path, open.path))
}

/** Puts a slot at a place that still has to be filled. */
export function openSlot(draft: Draft, { path, schema }: OpenPlace): void {
  if (path.length === 0 || isOpen(draft, path)) return
  const slot = slotFor(path, pickShape(draft.compiled.root, schema))
  if (!setAt(draft.args, path, slot)) return
  draft.open = [...draft.open.filter((open) => !isWithin(open.path, path)), { path, schema }]
}

/** Removes a member with the slots inside it. */
export function leaveOut(draft: Draft, path: JsonPath): void {
  removeAt(draft.args, path)
  draft.open = draft.open.filter((open) => !isWithin(open.path, path))
}

/** Moves a member to another name with the slots inside it. */
export function moveMember(draft: Draft, path: JsonPath, name: string): void {
  const parent = path.slice(0, -1)
  renameMember(valueAt(draft.args, parent), String(path.at(-1)), name)
  draft.open = draft.open.map((open) =>
    isWithin(open.path, path) ? { ...open, path: [...parent, name, ...open.path.slice(path.length)] } : open,
  )
}
