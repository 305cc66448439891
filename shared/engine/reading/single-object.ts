import { isObject } from '../core/json-value.ts'
import type { PartialArguments, UnreadableReason } from './arguments-reading.ts'
import { readObject } from './object-text.ts'
import { judgeSurroundings, thoughtTags } from './surroundings.ts'
import { surveyValue } from './value-limits.ts'

type SingleObject =
  | { ok: true; value: Record<string, unknown>; rules: string[] }
  | { ok: false; reason: UnreadableReason; message: string; partial?: PartialArguments }

/** Comments and thoughts in front of everything. A comment with a brace may be the object itself. */
const leadingRemarks = new RegExp(
  String.raw`^(?:\s+|(?:#|//)[^\n{]*\n|/\*(?:(?!\*/)[^{])*\*/|[<[](${thoughtTags})[>\]][\s\S]*?[<[]/\1[>\]])*`,
  'i',
)

/** Reads the one object of a text, whatever harmless text surrounds it. */
export function readSingleObject(text: string): SingleObject {
  const [remarks = ''] = leadingRemarks.exec(text) ?? []
  const start = text.indexOf('{', remarks.length)
  if (start === -1) return { ok: false, reason: 'not_an_object', message: 'the text holds no object' }
  const object = readObject(text, start)
  if (!object.ok) return object
  const isEmpty = Object.keys(object.value).length === 0
  const surroundings = judgeSurroundings(text.slice(remarks.length, start), text.slice(object.end), isEmpty)
  if (!surroundings.ok) return surroundings
  const { fault } = surveyValue(object.value)
  if (fault) return { ok: false, ...fault }
  if (surroundings.rules.length > 0 && readEnvelope(object.value)) {
    return { ok: false, reason: 'unreadable', message: 'the object is a whole tool call, not its arguments' }
  }
  const skipped = remarks.trim() === '' ? [] : ['comment']
  return { ok: true, value: object.value, rules: [...skipped, ...surroundings.rules, ...object.rules] }
}

/** The arguments of a tool call written out as `{"name": …, "arguments": {…}}`. */
function readEnvelope(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const { name, arguments: args = value.parameters, id, type, ...others } = value
  delete others.parameters
  if (typeof name !== 'string' || Object.keys(others).length > 0) return undefined
  return isObject(args) ? args : undefined
}
