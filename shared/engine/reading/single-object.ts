import { isObject } from '../core/json-value.ts'
import type { PartialArguments, UnreadableReason } from './arguments-reading.ts'
import { readObject } from './object-text.ts'
import { judgeSurroundings, thoughtTags } from './surroundings.ts'
import { surveyValue } from './value-limits.ts'

type SingleObject =
  | { ok: true; value: Record<string, unknown>; rules: string[] }
  | { ok: false; reason: UnreadableReason; message: string; partial?: PartialArguments }

/** Comments and thoughts before everything. A comment with a brace may be the object itself. */
const leadingRemarks = new RegExp(
  String.raw`^(?:\s+|(?:#|//)[^\n{]*\n|/\*(?:(?!\*/)[^{])*\*/|[<[](${thoughtTags})[>\]][\s\S]*?[<[]/\1[>\]])*`,
  'i',
)

/** Reads the only object of a text, whatever harmless text surrounds it. */
export function readSingleObject(text: string): SingleObject {
  const [remarks = ''] = leadingRemarks.exec(text) ?? []
  const start = text.indexOf('{', remarks.length)
  if (start === -1) return { ok: false, reason: 'not_an_object', message: 'the text contains no object' }
  const object = readObject(text, start)
  const before = text.slice(remarks.length, start)
  if (!object.ok) {
    const { reason, message, partial } = object
    const isKept = reason === 'cut' || (reason === 'unreadable' && beginsArguments(before))
    return { ok: false, reason, message, partial: isKept ? partial : undefined }
  }
  const after = text.slice(object.end)
  const isEmpty = Object.keys(object.value).length === 0
  const surroundings = judgeSurroundings(before, after, isEmpty)
  if (!surroundings.ok) {
    const isListed = before.trim() === '[' && /^\s*,?\s*\]\s*$/.test(after)
    const isFollowed = surroundings.reason === 'ambiguous'
    const partial = { value: object.value, unclosed: isListed ? [] : [[]] }
    return { ...surroundings, partial: isListed || isFollowed ? partial : undefined }
  }
  const { fault } = surveyValue(object.value)
  if (fault) return { ok: false, ...fault }
  if (surroundings.rules.length > 0 && readEnvelope(object.value)) {
    const partial = { value: object.value, unclosed: [] }
    return {
      ok: false,
      reason: 'unreadable',
      message: 'the object is a whole tool call, not its arguments',
      partial,
    }
  }
  const skipped = remarks.trim() === '' ? [] : ['comment']
  return { ok: true, value: object.value, rules: [...skipped, ...surroundings.rules, ...object.rules] }
}

/** Whether the object behind this text is all arguments, or their only list. */
function beginsArguments(before: string): boolean {
  return before.trim() === '[' || judgeSurroundings(before, '', false).ok
}

/** The arguments of a tool call written out as `{"name": …, "arguments": {…}}`. */
function readEnvelope(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const { name, arguments: args = value.parameters, id, type, ...others } = value
  delete others.parameters
  if (typeof name !== 'string' || Object.keys(others).length > 0) return undefined
  return isObject(args) ? args : undefined
}
