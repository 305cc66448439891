import type { JsonPath } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { PartialArguments } from '../../reading/arguments-reading.ts'
import { declaredNames } from '../../schema/resolve-schema.ts'
import { absentNames } from '../names/match-members.ts'
import { memberOf, objectAt, placeAt } from '../repair/argument-place.ts'
import { type Draft, isOpen, openSlot } from './correction-draft.ts'

/** A text that was cut does not show what would have followed: every declared member that was not seen is open. */
export function openUnseen(draft: Draft, cut: PartialArguments): void {
  const { root } = draft.compiled
  for (const path of cut.unclosed) {
    const object = objectAt(root, draft.args, path)
    if (!object || isOpen(draft, path)) continue
    if (declaredNames(object.shape).length === 0 && path.length > 0) openSlot(draft, object)
    for (const name of absentNames(object.shape, object.value)) openSlot(draft, memberOf(object, name))
  }
  if (cut.cut && cut.cut.length > 0 && !isOpen(draft, cut.cut)) openCut(draft, cut.cut)
  if (draft.open.length > 0) return
  const final = Object.keys(draft.args).at(-1)
  if (final !== undefined) openSlot(draft, memberOf({ path: [], shape: draft.compiled.flat }, final))
}

/** The value that was cut; under an undeclared name it is removed, and its place opens under another name. */
function openCut(draft: Draft, path: JsonPath): void {
  const { root } = draft.compiled
  const parent = placeAt(root, draft.args, path.slice(0, -1))
  if (Array.isArray(parent.value)) openSlot(draft, parent)
  else if (isObject(parent.value)) openSlot(draft, placeAt(root, draft.args, path))
}
