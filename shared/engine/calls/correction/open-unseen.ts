import { isSamePath, type JsonPath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { PartialArguments } from '../../reading/arguments-reading.ts'
import { declaredNames } from '../../schema/resolve-schema.ts'
import { absentNames } from '../names/match-members.ts'
import { placeAt, shapeFor } from '../repair/argument-place.ts'
import { type Draft, isOpen, openSlot } from './correction-draft.ts'

/** A text that was cut does not show what would have followed: every declared member that was not seen is open. */
export function openUnseen(draft: Draft, cut: PartialArguments): void {
  const { root } = draft.compiled
  for (const path of cut.unclosed) {
    const object = valueAt(draft.args, path)
    if (!isObject(object) || isOpen(draft, path)) continue
    const place = placeAt(root, draft.args, path)
    const shape = shapeFor(root, place, object)
    if (declaredNames(shape).length === 0 && path.length > 0) openSlot(draft, path, place)
    for (const name of absentNames(shape, object))
      openSlot(draft, [...path, name], shape.properties?.[name] ?? {})
  }
  if (cut.cut && cut.cut.length > 0 && !isOpen(draft, cut.cut)) openCut(draft, cut.cut)
  if (draft.open.length > 0) return
  const final = Object.keys(draft.args).at(-1)
  if (final !== undefined) openSlot(draft, [final], draft.compiled.flat.properties?.[final] ?? {})
}

/** The value that was cut; under an undeclared name it is removed, and its place opens under another name. */
function openCut(draft: Draft, path: JsonPath): void {
  const parent = path.slice(0, -1)
  const object = valueAt(draft.args, parent)
  const place = placeAt(draft.compiled.root, draft.args, path)
  if (Array.isArray(object)) openSlot(draft, parent, placeAt(draft.compiled.root, draft.args, parent))
  else if (isObject(object) && !isSamePath(parent, path)) openSlot(draft, path, place)
}
