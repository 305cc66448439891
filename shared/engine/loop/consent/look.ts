import { recordsIn } from '../../../words/fill-template.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { isObject } from '../../core/json-value.ts'
import { changesBetween, type Look, type Seen } from '../../core/seen.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { QuestionEntry } from '../../transcript/entry.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import { canBeApproved } from '../../transcript/open-items.ts'
import { ask, type QuestionDraft } from '../run/ask.ts'
import type { Run } from '../run/run.ts'

type Arguments = Record<string, unknown>

/** Characters of JSON: what a tool has seen is stored with each card. */
const longestSeen = 64 * 1024

/**
 * Opens an item like `ask`. If it is an approval, its tool looks first at what the effect depends on; if it was asked
 * before, the card says what has changed since.
 */
export async function askAfterLook(
  run: Run,
  draft: QuestionDraft,
  asIntent?: number,
): Promise<QuestionEntry> {
  return ask(run, canBeApproved(draft) ? await withLook(run, draft) : draft, asIntent)
}

/** The same for several, which are asked in one go once all tools have looked. */
export async function askAfterLooks(run: Run, drafts: readonly QuestionDraft[]): Promise<void> {
  if (drafts.length === 0) return
  const looked = await Promise.all(
    drafts.map((draft) => (canBeApproved(draft) ? withLook(run, draft) : draft)),
  )
  for (const draft of looked) ask(run, draft)
}

async function withLook(
  run: Run,
  { seen: before, changed: told, ...draft }: QuestionDraft,
): Promise<QuestionDraft> {
  // Values that are still to be filled in, and what may have been done already, are not compared.
  const isLooked = draft.open.length === 0 && !draft.outcomeUnknown
  const looked = isLooked ? await look(run, draft.toolName, draft.arguments, before) : undefined
  const changed = looked?.changed?.length ? looked.changed : told
  const named = looked ? namesIn(run, draft, looked.seen) : {}
  return {
    ...draft,
    ...named,
    arguments: { ...draft.arguments, ...looked?.fixed },
    ...(looked ? { seen: looked.seen } : {}),
    changed: changed?.length ? changed : undefined,
  }
}

/**
 * What the tool's sentence names by an id, as the tool has just seen it: newer than what the conversation says of it, and
 * read again right before the write.
 */
function namesIn(
  { specifications }: Run,
  { toolName, arguments: args, codeValues }: QuestionDraft,
  seen: Seen,
): Pick<QuestionDraft, 'codeValues'> {
  const { confirm = '' } = specifications.get(toolName) ?? {}
  const named = recordsIn(confirm, args, (name) =>
    isObject(args[name]) || Array.isArray(args[name]) ? undefined : seen,
  )
  const found = Object.entries(named).filter(([, [record = {}]]) => Object.keys(record).length > 0)
  if (found.length === 0) return {}
  const known = isObject(codeValues?.known) ? codeValues.known : {}
  return { codeValues: { ...codeValues, known: { ...known, ...Object.fromEntries(found) } } }
}

/** What the tool of a call sees now, and what has changed since `before`. Undefined if it cannot say: never rejects. */
async function look(run: Run, name: string, args: Arguments, before?: Seen): Promise<Look | undefined> {
  const tool = run.tools.get(name)
  if (!tool?.look || !looksAt(tool.specification, args)) return undefined
  const controller = new AbortController()
  let stopTimer = () => {}
  const late = new Promise<undefined>((resolve) => {
    stopTimer = run.clock.after(run.limits.lookTimeoutMs, () => {
      controller.abort()
      resolve(undefined)
    })
  })
  try {
    const context = { signal: controller.signal, seen: before }
    const looked = await Promise.race([tool.look(structuredClone(args), context), late])
    if (!looked || JSON.stringify(looked.seen).length > longestSeen) return undefined
    return before ? { ...looked, changed: looked.changed ?? changesBetween(before, looked.seen) } : looked
  } catch {
    return undefined
  } finally {
    stopTimer()
  }
}

function looksAt({ looks }: ToolSpecification, args: Arguments): boolean {
  return typeof looks === 'string' ? args[looks] !== undefined : looks === true
}

/** What the approval of this very call relied on; none if its values are other ones than those on the card. */
export function seenFor({
  call,
  decided,
}: Pick<CallState, 'call'> & { decided?: CallState['decided'] | undefined }): Seen | undefined {
  const { question } = decided ?? {}
  if (!question?.seen || question.toolName !== call.toolName) return undefined
  return canonicalJson(question.arguments) === canonicalJson(call.input) ? question.seen : undefined
}

/** Other items of this conversation that rely on what a write may change. */
export function relyingOn(run: Run, { call }: Pick<CallState, 'call'>): QuestionEntry[] {
  const open = [...run.state.items.values()].map(({ question }) => question)
  const decided = run.state.round.flatMap((one) => (one.decided && !one.result ? [one.decided.question] : []))
  return [...open, ...decided, ...run.openLater.values()].filter(
    ({ seen, toolCallId, toolName }) =>
      seen && toolCallId !== call.toolCallId && sharesProvider(run, toolName, call.toolName),
  )
}

/** Those that still hold right before the write. */
export async function lookBeside(run: Run, state: CallState): Promise<QuestionEntry[]> {
  const relying = relyingOn(run, state)
  const looked = await Promise.all(relying.map((item) => look(run, item.toolName, item.arguments, item.seen)))
  return relying.filter((_, index) => looked[index]?.changed?.length === 0)
}

/** Whether two tools can reach the same things. */
function sharesProvider({ specifications }: Run, one: string, other: string): boolean {
  const [some = [], others = []] = [one, other].map((name) => specifications.get(name)?.providers)
  return some.length === 0 ? others.length === 0 : some.some((id) => others.includes(id))
}

/** What those items rely on after the write, by their ids: what this conversation did is no change. */
export async function seenAfter(run: Run, items: readonly QuestionEntry[]): Promise<Record<string, Seen>> {
  const looked = await Promise.all(items.map((item) => look(run, item.toolName, item.arguments)))
  const known = items.flatMap(({ itemId }, index) => {
    const seen = looked[index]?.seen
    return seen ? [[itemId, seen] as const] : []
  })
  for (const [itemId, seen] of known) {
    const later = run.openLater.get(itemId)
    if (later) run.openLater.set(itemId, { ...later, seen })
  }
  return Object.fromEntries(known)
}
