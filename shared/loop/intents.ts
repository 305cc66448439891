import type { ToolError } from '../errors/tool-error.ts'
import { asSent } from '../prepare/resolve-slots.ts'
import { canonicalJson } from './canonical-json.ts'

/** One thing the model is trying to do with one tool. Only failed ones are kept: success closes an intent. */
export interface Intent {
  number: number
  /** Name of the tool, or of the one an unknown name resembles; `''` when it resembles none. */
  tool: string
  /** Failed attempts so far. */
  attempts: number
  /** What was right in the last call: `"<as sent>"` stands for one of these. */
  kept: Record<string, unknown>
  /** Canonical arguments of the last call, or its raw text. */
  lastArguments: string
  /** One error per failed attempt. */
  errors: ToolError[]
  /** The last call, for the form. */
  toolCallId: string
}

/** A call that looks for its intent. */
export interface Candidate {
  tool: string
  args: Record<string, unknown>
}

export interface Joined {
  intent: Intent
  /** False when another intent fits as well, or when every kept argument was changed: then nothing is taken over. */
  sure: boolean
}

/**
 * Which open intent each call of a round continues: that of its tool with the most equal arguments; two calls of
 * a round never share one. A call without a place in the answer opens a new intent.
 */
export function joinIntents(open: readonly Intent[], calls: readonly Candidate[]): Map<number, Joined> {
  const pairs = calls.flatMap((call, index) =>
    open
      .filter((intent) => intent.tool === call.tool)
      .map((intent) => ({ index, intent, ...likeness(intent.kept, call.args) })),
  )
  pairs.sort((a, b) => b.equal - a.equal)
  const joined = new Map<number, Joined>()
  const taken = new Set<Intent>()
  for (const pair of pairs) {
    if (joined.has(pair.index) || taken.has(pair.intent)) continue
    const rivals = pairs.filter(
      (other) =>
        other !== pair &&
        other.equal === pair.equal &&
        (other.index === pair.index || other.intent === pair.intent),
    )
    joined.set(pair.index, {
      intent: pair.intent,
      sure: rivals.length === 0 && (pair.equal > 0 || pair.compared === 0),
    })
    taken.add(pair.intent)
  }
  return joined
}

/** How many arguments are the same; one sent as `<as sent>` says nothing about which call it belongs to. */
function likeness(kept: Record<string, unknown>, args: Record<string, unknown>) {
  let equal = 0
  let compared = 0
  for (const [name, value] of Object.entries(kept)) {
    if (args[name] === undefined || args[name] === asSent) continue
    compared++
    if (canonicalJson(args[name]) === canonicalJson(value)) equal++
  }
  return { equal, compared }
}
