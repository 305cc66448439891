import { prepareToolCall } from '../../calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../calls/prepared-call.ts'
import { resolveSlots } from '../../calls/repair/resolve-slots.ts'
import { setAt } from '../../core/json-path.ts'
import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ToolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { ModelReply, ModelToolCall } from '../../models/protocol/model-client.ts'
import { namesText } from '../../provenance/plain-text.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import { readAddresses } from '../../provenance/value-kind.ts'
import { toolSearchName } from '../../tools/tool-search.ts'
import type { Call } from '../../transcript/entry.ts'
import { identifyCall } from '../../transcript/fold-loop.ts'
import type { Intent } from '../../transcript/intent.ts'
import { findRecords } from '../../transcript/known-records.ts'
import { typedMessages } from '../../transcript/typed-messages.ts'
import { typedWords } from '../../transcript/user-content.ts'
import { asSent } from '../../wording/corrected-call.ts'
import type { Run } from '../run/run.ts'
import { type DraftCall, joinIntents, type Surroundings } from './intents.ts'

/** Prepares the calls of a reply and finds the intent that each one continues. `ids` are ours. */
export function prepareCalls(
  run: Run,
  { toolCalls, finishReason }: Pick<ModelReply, 'toolCalls' | 'finishReason'>,
  ids: readonly string[],
): Call[] {
  const drafts: DraftCall[] = []
  for (const [index, written] of toolCalls.entries()) {
    const draft = draftCall(run, written, finishReason, ids[index] ?? '')
    const original = drafts.find(({ key, call }) => key === draft.key && !call.duplicateOf)
    if (original) draft.call.duplicateOf = original.call.toolCallId
    drafts.push(draft)
  }
  continueIntents(run, drafts, toolCalls, finishReason)
  for (const { call, refusal } of drafts) if (refusal) run.refusals.set(call.toolCallId, refusal)
  return drafts.map(({ call }) => call)
}

function draftCall(run: Run, written: ModelToolCall, finishReason: string, toolCallId: string): DraftCall {
  const prepared = prepare(run, written, finishReason)
  const intendedTool = findIntendedTool(prepared)
  const toolName = prepared.tool?.name ?? written.name
  const specification = prepared.tool ?? run.specifications.get(intendedTool)
  const { rawArguments, input, repairs } = readCall(written, prepared)
  const call: Call = {
    type: 'call',
    toolCallId,
    name: written.name,
    toolName,
    intendedTool: intendedTool === toolName ? undefined : intendedTool,
    effect: specification?.effect ?? 'write',
    rawArguments,
    prepared: prepared.ok,
    input,
    repairs,
    intent: 0,
    attempt: 1,
    startedAt: new Date(run.clock.now()).toISOString(),
    extraContent: written.extraContent,
  }
  return { call, key: identifyCall(call), intendedTool, refusal: prepared.ok ? undefined : prepared.error }
}

/** Gives each call its intent, attempt and, if it certainly continues one, the texts that `<as sent>` stands for. */
function continueIntents(
  run: Run,
  drafts: readonly DraftCall[],
  written: readonly ModelToolCall[],
  finishReason: string,
): void {
  const originals = drafts.filter(({ call }) => !call.duplicateOf)
  const { intents } = run.state
  // Nearly always nothing is open, and there is nothing to read.
  const joined = intents.length === 0 ? undefined : joinIntents(intents, originals, surroundings(run))
  let next = run.state.nextIntent
  for (const draft of originals) {
    const place = joined?.get(draft)
    draft.call.intent = place?.intent.number ?? next++
    if (!place) continue
    const { intent, sure } = place
    draft.call.attempt = intent.attempts + 1
    if (intent.lastKey === draft.key) draft.call.repeated = true
    if (intent.item) draft.call.continues = intent.item.itemId
    const model = written[drafts.indexOf(draft)]
    const says = model?.rawArguments.toLowerCase().includes(asSent)
    if (model && (intent.item || (sure && says))) prepareWithTexts(run, draft, model, intent, finishReason)
  }
  for (const { call } of drafts) {
    const original = originals.find((draft) => draft.call.toolCallId === call.duplicateOf)?.call
    if (!original) continue
    const { intent, attempt, repeated } = original
    Object.assign(call, { intent, attempt }, repeated ? { repeated } : {})
  }
}

function surroundings(run: Run): Surroundings {
  const message = run.entries[run.state.turnStart]
  return {
    tools: run.specifications,
    findFor: (tool) => findRecords(run.entries, run.specifications, tool),
    // To search 1 MiB for the values of each item would take minutes.
    said: message?.type === 'user-message' ? typedWords(message.content).slice(0, 10_000) : '',
    own: new Set(ownAddresses(run)),
  }
}

/** Addresses of the user's accounts, which any of their emails may name as the sender. */
function ownAddresses({ user, senders }: Run): string[] {
  const named = [user?.email, ...(user?.accounts ?? []), ...Object.values(senders)]
  return named.flatMap((address) => readAddresses(address ?? '') ?? [])
}

function prepareWithTexts(
  run: Run,
  draft: DraftCall,
  written: ModelToolCall,
  intent: Intent,
  finishReason: string,
): void {
  const tool = run.specifications.get(draft.intendedTool)
  // Outside content must not choose what else is sent.
  const kept = intent.item && hasReadSince(run) ? {} : withoutSourced(intent.kept, tool)
  const fromItem = intent.item && tool ? keepRequired(tool, kept, written) : {}
  const prepared = prepare(run, withMembers(written, fromItem), finishReason, kept)
  Object.assign(draft.call, readCall(written, prepared, kept, Object.keys(fromItem)))
  draft.key = identifyCall(draft.call)
  draft.refusal = prepared.ok ? undefined : prepared.error
}

/** The required values that a call omits when it continues an item: they stay as they were. */
function keepRequired(
  { parameters }: ToolSpecification,
  kept: Record<string, unknown>,
  { rawArguments }: ModelToolCall,
): Record<string, unknown> {
  const given = readJsonText(rawArguments)
  if (!isObject(given)) return {}
  const left = (parameters.required ?? []).filter(
    (name) => given[name] === undefined && kept[name] !== undefined,
  )
  return Object.fromEntries(left.map((name) => [name, kept[name]]))
}

function withMembers(written: ModelToolCall, more: Record<string, unknown>): ModelToolCall {
  if (Object.keys(more).length === 0) return written
  const all = Object.assign({}, readJsonText(written.rawArguments), more)
  return { ...written, rawArguments: JSON.stringify(all) }
}

function hasReadSince({ state }: Run): boolean {
  return [...state.calls.values()].some(
    ({ call, index, result }) =>
      index > state.turnStart &&
      call.effect === 'read' &&
      call.toolName !== toolSearchName &&
      result?.result.ok === true,
  )
}

/** Values that must come from the user have to be repeated each time; `<as sent>` never stands for them. */
function withoutSourced(
  kept: Record<string, unknown>,
  tool: ToolSpecification | undefined,
): Record<string, unknown> {
  const rest = structuredClone(kept)
  for (const { path } of tool ? sourcedValues(tool, kept) : []) {
    setAt(rest, path, undefined)
  }
  return rest
}

/** What became of the arguments. */
function readCall(
  { rawArguments, writtenAsText }: ModelToolCall,
  prepared: PreparedCall,
  kept?: Record<string, unknown>,
  taken: readonly string[] = [],
): Pick<Call, 'rawArguments' | 'input' | 'prepared' | 'repairs'> {
  if (!prepared.ok) {
    return {
      rawArguments,
      prepared: false,
      input: readInput(rawArguments, prepared.error, kept),
      repairs: [],
    }
  }
  const fromText = writtenAsText ? [{ path: '', rule: 'written-as-text' }] : []
  const asBefore = taken.map((path) => ({ path, rule: 'as-before' }))
  const repairs = [...fromText, ...asBefore, ...prepared.repairs]
  const raw = repairs.length > 0 ? { rawArguments } : {}
  return { ...raw, prepared: true, input: prepared.args, repairs }
}

function prepare(
  run: Run,
  { name, rawArguments }: Pick<ModelToolCall, 'name' | 'rawArguments'>,
  finishReason: string,
  kept?: Record<string, unknown>,
): PreparedCall {
  const slots = { shown: run.state.slots, kept }
  const isSaid = (text: string) => saidTexts(run).some((said) => namesText(said, text))
  return prepareToolCall({ name, rawArguments, tools: run.agent.tools, finishReason, slots, isSaid })
}

/** What the user has typed anywhere in this conversation, and what its operator tells the agent. */
function saidTexts({ agent, entries }: Run): string[] {
  const typed = typedMessages(entries).map(({ content }) => typedWords(content))
  const decided = entries.flatMap((entry) =>
    entry.type === 'decision' ? [entry.reason ?? '', JSON.stringify([entry.values, entry.input])] : [],
  )
  return [agent.instructions, ...typed, ...decided]
}

/** Why a call was refused: as determined when it was prepared, or again if another process did that. */
export function findRefusal(run: Run, call: Call): ToolError | undefined {
  const known = run.refusals.get(call.toolCallId)
  if (known || call.prepared) return known
  const prepared = prepare(run, { name: call.name, rawArguments: call.rawArguments ?? '' }, '')
  return prepared.ok ? undefined : prepared.error
}

/** The tool a call is about: an unknown name stands for the tool it resembles, `''` if none. */
function findIntendedTool(call: PreparedCall): string {
  if (call.ok) return call.tool.name
  return call.tool?.name ?? call.error.details.correction?.name ?? call.error.details.suggestion ?? ''
}

/** The arguments of a refused call as far as they can be parsed, with `<as sent>` resolved if allowed. */
function readInput(
  rawArguments: string,
  { errorType }: ToolError,
  kept: Record<string, unknown> | undefined,
): Record<string, unknown> | string {
  if (errorType === 'malformed_arguments') return rawArguments
  const value = readJsonText(rawArguments)
  if (!isObject(value)) return rawArguments
  if (kept) resolveSlots(value, { kept, shown: new Set() }, [])
  return value
}
