import type { JsonPath } from '../../core/json-path.ts'
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
    const { schema, value: object } = placeAt(root, draft.args, path)
    if (!isObject(object) || isOpen(draft, path)) continue
    const shape = shapeFor(root, schema, object)
    if (declaredNames(shape).length === 0 && path.length > 0) openSlot(draft, path, schema)
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
  const { root } = draft.compiled
  const parent = placeAt(root, draft.args, path.slice(0, -1))
  if (Array.isArray(parent.value)) openSlot(draft, parent.path, parent.schema)
  else if (isObject(parent.value)) openSlot(draft, path, placeAt(root, draft.args, path).schema)
}
