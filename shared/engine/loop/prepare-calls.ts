import { prepareToolCall } from '../calls/prepare-tool-call.ts'
import type { PreparedCall } from '../calls/prepared-call.ts'
import { resolveSlots } from '../calls/repair/resolve-slots.ts'
import { callKey, writtenArguments } from '../core/canonical-json.ts'
import { parsePath, setAt } from '../core/json-path.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ModelReply, ModelToolCall } from '../models/protocol/model-client.ts'
import { sourcedValues } from '../provenance/sourced-values.ts'
import { asSent } from '../wording/corrected-call.ts'
import { createToolCallId } from './identifiers.ts'
import { joinIntents } from './intents.ts'
import type { RoundCall } from './round-call.ts'
import type { Run } from './run.ts'

/** Prepares the calls of a reply and finds the intent each one continues. */
export function prepareCalls(run: Run, reply: ModelReply, ids: readonly string[]): RoundCall[] {
  const calls: RoundCall[] = []
  for (const [index, call] of reply.toolCalls.entries()) {
    const { id: _theirs, ...written } = call
    const prepared = prepare(run, call, reply.finishReason)
    const key = keyOf(call, prepared)
    const duplicateOf = calls.find((earlier) => earlier.key === key)
    const specification = prepared.tool ?? run.tools.get(intendedTool(prepared))?.specification
    const id = ids[index] ?? createToolCallId()
    calls.push({
      toolCallId: id,
      transcriptId: id,
      ...written,
      toolName: prepared.tool?.name ?? call.name,
      intendedTool: intendedTool(prepared),
      key,
      ...(specification ? { specification } : {}),
      effect: specification?.effect ?? 'write',
      ...readingOf(call, prepared),
      intentNumber: 0,
      attempt: 1,
      repetition: 0,
      repeated: false,
      ...(duplicateOf ? { duplicateOf } : {}),
      approved: false,
    })
  }
  continueIntents(run, calls, reply.finishReason)
  return calls
}

/** Gives each call its intent, attempt and, where it surely continues one, the texts that `<as sent>` stands for. */
function continueIntents(run: Run, calls: readonly RoundCall[], finishReason: string): void {
  const originals = calls.filter((call) => !call.duplicateOf)
  const joined = joinIntents(run.memory.intents, originals)
  for (const call of originals) {
    const place = joined.get(call)
    call.intentNumber = place?.intent.number ?? run.memory.nextIntent++
    if (!place) continue
    call.intent = place.intent
    call.attempt = place.intent.attempts + 1
    call.repeated = place.intent.lastKey === call.key
    if (place.sure && call.rawArguments.toLowerCase().includes(asSent)) {
      const kept = withoutSourced(place.intent.kept, call.specification)
      const prepared = prepare(run, call, finishReason, kept)
      Object.assign(call, readingOf(call, prepared, kept), { key: keyOf(call, prepared) })
    }
  }
  for (const call of calls) {
    if (!call.duplicateOf) continue
    const { intent, intentNumber, attempt, repeated } = call.duplicateOf
    Object.assign(call, { intent, intentNumber, attempt, repeated })
  }
}

/** What must come from the user is said again each time, never meant by `<as sent>`. */
function withoutSourced(
  kept: Record<string, unknown>,
  tool: ToolSpecification | undefined,
): Record<string, unknown> {
  const rest = structuredClone(kept)
  for (const { path } of tool ? sourcedValues(tool.parameters, kept) : []) {
    setAt(rest, parsePath(path) ?? [], undefined)
  }
  return rest
}

/** What became of the arguments. */
function readingOf(
  { rawArguments, writtenAsText }: ModelToolCall,
  prepared: PreparedCall,
  kept?: Record<string, unknown>,
): Pick<RoundCall, 'input' | 'args' | 'refusal' | 'repairs'> {
  const fromText = writtenAsText ? [{ path: '', rule: 'written-as-text' }] : []
  return prepared.ok
    ? {
        input: prepared.args,
        args: prepared.args,
        refusal: undefined,
        repairs: [...fromText, ...prepared.repairs],
      }
    : {
        input: inputOf(rawArguments, prepared.error, kept),
        args: undefined,
        refusal: prepared.error,
        repairs: [],
      }
}

function keyOf({ name, rawArguments }: ModelToolCall, prepared: PreparedCall): string {
  return prepared.ok
    ? callKey(prepared.tool.name, prepared.args)
    : `${name} ${writtenArguments(rawArguments)}`
}

function prepare(
  run: Run,
  { name, rawArguments }: ModelToolCall,
  finishReason: string,
  kept?: Record<string, unknown>,
): PreparedCall {
  const slots = { shown: run.slots, ...(kept ? { kept } : {}) }
  return prepareToolCall({ name, rawArguments, tools: run.specifications, finishReason, slots })
}

/** The tool a call is about: an unknown name stands for the tool it resembles, `''` when for none. */
function intendedTool(call: PreparedCall): string {
  if (call.ok) return call.tool.name
  return call.tool?.name ?? call.error.details.correction?.name ?? call.error.details.suggestion ?? ''
}

/** What a refused call was about: its arguments as far as they can be read, `<as sent>` resolved where it may be. */
function inputOf(
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
