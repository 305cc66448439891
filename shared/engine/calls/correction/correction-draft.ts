import { isWithin, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { slotFor } from '../../wording/describe-parameter.ts'
import { pickShape } from '../../wording/question-for.ts'
import { renameMember } from '../repair/repair-arguments.ts'

/** A correction in progress. */
export interface Draft {
  compiled: CompiledSchema
  args: Record<string, unknown>
  open: JsonPath[]
  suggestions: Map<string, string>
  /** Everything that was sent has been left out: another call, which does more or something else. */
  emptied?: boolean
}

export function isOpen(draft: Draft, path: JsonPath): boolean {
  return draft.open.some((open) => isWithin(path, open))
}

/** Puts a slot at a place that still has to be filled. */
export function openSlot(draft: Draft, path: JsonPath, place: JsonSchema | boolean): void {
  if (path.length === 0 || isOpen(draft, path)) return
  const slot = slotFor(path, pickShape(draft.compiled.root, place))
  if (!setAt(draft.args, path, slot)) return
  draft.open = [...draft.open.filter((open) => !isWithin(open, path)), path]
}

/** Removes a member with the slots inside it. */
export function leaveOut(draft: Draft, path: JsonPath): void {
  removeAt(draft.args, path)
  draft.open = draft.open.filter((open) => !isWithin(open, path))
}

/** Moves a member to another name with the slots inside it. */
export function moveMember(draft: Draft, path: JsonPath, name: string): void {
  const parent = path.slice(0, -1)
  renameMember(valueAt(draft.args, parent), String(path.at(-1)), name)
  draft.open = draft.open.map((open) =>
    isWithin(open, path) ? [...parent, name, ...open.slice(path.length)] : open,
  )
}
