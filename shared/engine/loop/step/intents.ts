import { parsePath, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { namesText } from '../../provenance/plain-text.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import type { Call, QuestionEntry } from '../../transcript/entry.ts'
import type { Intent } from '../../transcript/intent.ts'
import { keptArguments } from '../../transcript/open-items.ts'
import { foldValue, isSameEffect } from '../run/sameness.ts'

type Arguments = Record<string, unknown>

/** A call being prepared. */
export interface DraftCall {
  call: Call
  key: string
  intendedTool: string
  refusal: ToolError | undefined
}

interface Joined {
  intent: Intent
  /** False if another intent fits as well, or a kept argument was changed: then no text is copied. */
  sure: boolean
}

/**
 * Which open intent each call of a round continues: the intent of its tool with the most equal arguments, then with the
 * fewest others; two calls of a round never share one. An item of an earlier message is only continued by a call that
 * repeats some of its values (or fills its open place, if it keeps none) and fits no other item equally well. Any other
 * call opens a new one. `said` begins the user's newest message.
 */
export function joinIntents(
  open: readonly Intent[],
  calls: readonly DraftCall[],
  tools: ReadonlyMap<string, ToolSpecification>,
  said: string,
): Map<DraftCall, Joined> {
  const joined = new Map<DraftCall, Joined>()
  if (open.length === 0) return joined
  const taken = new Set<Intent>()
  const pairs = calls.flatMap((call) =>
    open
      .filter((intent) => intent.tool === call.intendedTool)
      .map((intent) => ({ call, intent, ...likeness(intent.kept, certainArguments(call)) }))
      .filter(({ intent, call, equal }) => !intent.isEarlier || goesOnWith(intent, call, equal, tools, said)),
  )
  pairs.sort((a, b) => b.equal - a.equal || a.compared - b.compared)
  for (const pair of pairs) {
    if (joined.has(pair.call) || taken.has(pair.intent)) continue
    const hasRival = pairs.some(
      (other) =>
        other !== pair &&
        other.equal === pair.equal &&
        other.compared === pair.compared &&
        (other.call === pair.call || other.intent === pair.intent),
    )
    if (hasRival && pair.intent.isEarlier) continue
    joined.set(pair.call, {
      intent: pair.intent,
      sure: !hasRival && pair.equal === pair.compared,
    })
    taken.add(pair.intent)
  }
  return joined
}

/** An item with unknown outcome is only continued by a call that would do the same again. */
function goesOnWith(
  { tool, kept, item }: Intent,
  call: DraftCall,
  equal: number,
  tools: ReadonlyMap<string, ToolSpecification>,
  said: string,
): boolean {
  const [known, args] = [tools.get(tool), certainArguments(call)]
  if (!item || item.outcomeUnknown) return isSameEffect(known, kept, args)
  const mayLack = item.kind === 'approval' && !call.call.prepared
  return equal === 0 ? fillsIt(item, call) : !isAnother(known, kept, args, said, mayLack)
}

/**
 * The same to others is a correction, as in "no, to Bob". With half of the rest different or said again by its user, it
 * is another effect beside it. To nobody yet (`mayLack`), only what differs counts: "yes, send the invoice" names it.
 */
function isAnother(
  tool: ToolSpecification | undefined,
  kept: Arguments,
  args: Arguments,
  said: string,
  mayLack: boolean,
): boolean {
  const namedIn = (values: Arguments) => sourcedValues(tool?.parameters ?? {}, values)
  const now = new Set(namedIn(args).map(({ value }) => foldValue(value)))
  const before = namedIn(kept)
  if ((now.size === 0 && !mayLack) || before.length === 0) return false
  if (before.some(({ value }) => now.has(foldValue(value)))) return false
  const sourced = before.map(({ path }) => parsePath(path)?.[0])
  const rest = Object.entries(kept).filter(([name]) => !sourced.includes(name))
  const { equal, compared } = likeness(Object.fromEntries(rest), args)
  const again = rest.filter(
    ([name, value]) => now.size > 0 && args[name] === value && namesText(said, String(value ?? '')),
  )
  return 2 * (equal - again.length) <= compared
}

/** An item without values is continued by a call that fills what it asks for. */
function fillsIt(item: QuestionEntry, { call }: DraftCall): boolean {
  const { input } = call
  const isEmpty = Object.values(keptArguments(item)).every((value) => value === undefined)
  if (item.kind !== 'input' || typeof input !== 'object' || !isEmpty) return false
  return item.open.some((path) => (valueAt(input, parsePath(path) ?? []) ?? '') !== '')
}

/** The certain arguments of a call: one that is still open, or `<as sent>`, does not show where it belongs. */
function certainArguments({ call, refusal }: DraftCall): Arguments {
  if (call.prepared && typeof call.input === 'object') return call.input
  const { arguments: corrected = {}, open = [] } = refusal?.details.correction ?? {}
  const unsure = new Set(open.map((path) => parsePath(path)?.[0]))
  return Object.fromEntries(Object.entries(corrected).filter(([name]) => !unsure.has(name)))
}

/** How many are equal. */
function likeness(kept: Arguments, args: Arguments) {
  const both = Object.keys(kept).filter((name) => kept[name] !== undefined && args[name] !== undefined)
  const equal = both.filter((name) => agrees(kept[name], args[name])).length
  return { equal, compared: both.length }
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
