import { type FindRecord, isFilled, lookedUpIn } from '../../../words/fill-template.ts'
import { formatPath, type JsonPath, parameterAt, readPath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { namesText } from '../../provenance/plain-text.ts'
import { type CallValue, sourcedValues, valuesOf } from '../../provenance/sourced-values.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import { keptArguments } from '../../transcript/open-items.ts'
import { foldValue, goToOthers } from '../run/sameness.ts'

type Arguments = Record<string, unknown>

/** What a call is compared with an open item by. */
export interface Comparison {
  tool: ToolSpecification | undefined
  /** The call, as far as it is certain. */
  args: Arguments
  /** It lacks values, too. */
  isIncomplete: boolean
  /** The beginning of the user's newest message. */
  said: string
  /** Addresses of the user's own accounts. */
  own: ReadonlySet<string>
  /** What outputs of the conversation say about the tool's targets. */
  find: FindRecord
}

/**
 * Whether a call goes on with an open item of its tool, whose card its own then replaces: the one rule. It does if it gives
 * what the item lacks and changes nothing, or repeats a value that is the item's own: neither one with a `source` nor one
 * of the schema's, nor what the call is about. An item without such values is repeated in all of those. The same to others
 * is a correction, as in "no, to Bob", if more than half of the rest is equal and not said again by the user.
 */
export function continuesItem(item: QuestionEntry, call: Comparison): boolean {
  const kept = keptArguments(item)
  if (!call.tool) return false
  if (givesWhatIsMissing(item, kept, call.args)) return true
  const before = partsOf(kept, call)
  const now = partsOf(call.args, call)
  const isRepeated =
    before.own.length > 0
      ? before.own.some((value) => now.own.includes(value))
      : before.named.every((value) => now.named.includes(value))
  return isRepeated && !isForOthers(item, kept, call)
}

function givesWhatIsMissing({ open }: QuestionEntry, kept: Arguments, args: Arguments): boolean {
  const { equal, compared } = likeness(kept, args)
  return equal === compared && open.map(readPath).some((path) => isFilled(valueAt(args, path)))
}

/** What is its own in a call, and whom and what it names: each with its place. */
function partsOf(args: Arguments, { tool, own, find }: Comparison): { own: string[]; named: string[] } {
  if (!tool) return { own: [], named: [] }
  const values = valuesOf(tool.parameters, args)
  const targets = values.filter((value) => isTarget(tool, value))
  // An object with an id describes the thing with that id.
  const beside = new Set(targets.map(({ path }) => objectAround(path)).filter((path) => path !== ''))
  // Every answer to an email repeats its subject.
  const titles = tool.repliesTo === undefined ? [] : textsOf(find(tool.repliesTo, args[tool.repliesTo]))
  const isOwn = (value: CallValue) =>
    value.source === undefined &&
    !targets.includes(value) &&
    !beside.has(objectAround(value.path)) &&
    !own.has(foldValue(value.value)) &&
    !titles.some((title) => foldValue(value.value).endsWith(title))
  const isNamed = (value: CallValue) => value.source !== undefined || targets.includes(value)
  return { own: values.filter(isOwn).map(keyOf), named: values.filter(isNamed).map(keyOf) }
}

/** What a call is about: a place that the tool answers to or that its sentences look up, or an id. */
function isTarget(
  { repliesTo, confirm = '', summary = '', button = '' }: ToolSpecification,
  { path, name }: CallValue,
) {
  const places = [repliesTo, ...[confirm, summary, button].flatMap(lookedUpIn)]
  return places.includes(parameterAt(path)) || /ids?$/i.test(name)
}

/** The texts of a record. */
function textsOf(record: Arguments = {}): string[] {
  return Object.values(record).flatMap((value) => {
    const text = typeof value === 'string' ? foldValue(value) : ''
    return text === '' ? [] : [text]
  })
}

/** At which place of a list it stands does not matter. */
function keyOf({ path, value }: CallValue): string {
  return JSON.stringify([path.map((key) => (typeof key === 'number' ? 0 : key)), foldValue(value)])
}

/** Identifies the object that a value is a member of; `''` for the call itself. */
function objectAround(path: JsonPath): string {
  const member = path.findLastIndex((key) => typeof key === 'string')
  return formatPath(path.slice(0, Math.max(0, member)))
}

/**
 * Whether a call does the same for other people, as another effect beside the item. For nobody yet (of an approval, which
 * lacks nothing), only what differs counts: "yes, send the invoice" names it.
 */
function isForOthers(
  { kind }: QuestionEntry,
  kept: Arguments,
  { tool, args, isIncomplete, said }: Comparison,
) {
  const before = tool ? sourcedValues(tool, kept) : []
  const isForNobody = !tool || sourcedValues(tool, args).length === 0
  const lacksThem = isForNobody && before.length > 0 && kind === 'approval' && isIncomplete
  if (!lacksThem && !goToOthers(tool, kept, args)) return false
  const sourced = before.map(({ path }) => parameterAt(path))
  const rest = Object.entries(kept).filter(([name]) => !sourced.includes(name))
  const { equal, compared } = likeness(Object.fromEntries(rest), args)
  const again = rest.filter(
    ([name, value]) => !isForNobody && args[name] === value && namesText(said, String(value ?? '')),
  )
  return 2 * (equal - again.length) <= compared
}

/** How many parameters both have, or one lacks and the other gives, and how many of those do not differ. */
export function likeness(
  kept: Arguments,
  args: Arguments,
  missing: readonly string[] = [],
): { equal: number; compared: number } {
  const both = Object.keys(kept).filter((name) => kept[name] !== undefined && args[name] !== undefined)
  const given = missing.filter((name) => kept[name] === undefined && args[name] !== undefined)
  const equal = both.filter((name) => agrees(kept[name], args[name])).length
  return { equal: equal + given.length, compared: both.length + given.length }
}

/** The same, unless the kept one is still open. */
function agrees(kept: unknown, value: unknown): boolean {
  if (kept === undefined || kept === null) return true
  if (Array.isArray(kept)) {
    return (
      Array.isArray(value) &&
      kept.length === value.length &&
      value.every((item, index) => agrees(kept[index], item))
    )
  }
  if (isObject(kept)) {
    return isObject(value) && Object.entries(kept).every(([name, member]) => agrees(member, value[name]))
  }
  return kept === value
}
