import { parameterAt, readPath } from '../../core/json-path.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Call } from '../../transcript/entry.ts'
import type { Intent } from '../../transcript/intent.ts'
import { openParameters } from '../../transcript/open-fields.ts'
import { isSameEffect } from '../run/sameness.ts'
import { type Comparison, continuesItem, likeness } from './continued-item.ts'

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

/** What calls are compared with open items by. */
export type Surroundings = Pick<Comparison, 'said' | 'own'> & {
  tools: ReadonlyMap<string, ToolSpecification>
  findFor(tool: ToolSpecification): Comparison['find']
}

/**
 * Which open intent each call of a round continues: the intent of its tool with the most equal arguments, then with the
 * fewest others; two calls of a round never share one. An item of an earlier message is only continued as `continuesItem`
 * says, and by no call if several fit equally well. Any other call opens a new one.
 */
export function joinIntents(
  open: readonly Intent[],
  calls: readonly DraftCall[],
  about: Surroundings,
): Map<DraftCall, Joined> {
  const joined = new Map<DraftCall, Joined>()
  const matched = new Set<Intent>()
  const pairs = calls.flatMap((call) =>
    open
      .filter((intent) => intent.tool === call.intendedTool)
      .map((intent) => ({
        call,
        intent,
        ...likeness(intent.kept, certainArguments(call), openParameters(intent.item?.open ?? [])),
      }))
      .filter(({ intent }) => !intent.isEarlier || goesOnWith(intent, call, about)),
  )
  pairs.sort((a, b) => b.equal - a.equal || rank(a) - rank(b))
  for (const pair of pairs) {
    if (joined.has(pair.call) || matched.has(pair.intent)) continue
    const hasRival = pairs.some(
      (other) =>
        other !== pair &&
        other.equal === pair.equal &&
        rank(other) === rank(pair) &&
        (other.call === pair.call || other.intent === pair.intent),
    )
    if (hasRival && pair.intent.isEarlier) continue
    joined.set(pair.call, {
      intent: pair.intent,
      sure: !hasRival && pair.equal === pair.compared,
    })
    matched.add(pair.intent)
  }
  return joined
}

/** Of those with equally many equal arguments: what this message began goes first, by how few differ. */
function rank({ intent, compared }: { intent: Intent; compared: number }): number {
  return intent.isEarlier ? Number.POSITIVE_INFINITY : compared
}

/** What may have happened is only continued by a call that would do the same again. */
function goesOnWith(
  { tool: name, kept, item }: Intent,
  call: DraftCall,
  { tools, findFor, said, own }: Surroundings,
): boolean {
  const [tool, args] = [tools.get(name), certainArguments(call)]
  if (!tool || !item || item.outcomeUnknown) return isSameEffect(tool, kept, args)
  return continuesItem(item, {
    tool,
    args,
    isIncomplete: !call.call.prepared,
    said,
    own,
    find: findFor(tool),
  })
}

/** The certain arguments of a call: one that is still open, or `<as sent>`, does not show where it belongs. */
function certainArguments({ call, refusal }: DraftCall): Arguments {
  if (call.prepared && typeof call.input === 'object') return call.input
  const { arguments: corrected = {}, open = [] } = refusal?.details.correction ?? {}
  const unsure = new Set(open.map(readPath).map(parameterAt))
  return Object.fromEntries(Object.entries(corrected).filter(([name]) => !unsure.has(name)))
}
