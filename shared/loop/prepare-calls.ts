import type { ModelReply, ModelToolCall } from '../models/model-client.ts'
import { prepareToolCall } from '../prepare/prepare-tool-call.ts'
import type { PreparedCall } from '../prepare/prepared-call.ts'
import { asSent, resolveSlots } from '../prepare/resolve-slots.ts'
import { isObject } from '../schema/json-path.ts'
import { writtenArguments } from './canonical-json.ts'
import { joinIntents } from './intents.ts'
import { writeKey } from './prior-writes.ts'
import type { RoundCall } from './round-call.ts'
import type { Run } from './run.ts'

/** Prepares the calls of a reply and finds the intent each one continues. */
export function prepareCalls(run: Run, reply: ModelReply, ids: readonly string[]): RoundCall[] {
  const first = new Map<string, RoundCall>()
  const written = reply.toolCalls.map((call) => ({
    ...call,
    prepared: prepare(run, call, reply.finishReason),
  }))
  const joined = joinIntents(
    run.memory.intents,
    written.map(({ prepared }) => ({ tool: intendedTool(prepared), args: argumentsOf(prepared) })),
  )
  return written.map((call, index) => {
    const place = joined.get(index)
    const resolvable = place?.sure && call.rawArguments.includes(asSent)
    const prepared = resolvable ? prepare(run, call, reply.finishReason, place.intent.kept) : call.prepared
    const key = prepared.ok
      ? writeKey(prepared.tool.name, prepared.args)
      : `${call.name} ${writtenArguments(call.rawArguments)}`
    const duplicateOf = first.get(key)
    const intent = duplicateOf?.intent ?? place?.intent
    const specification = prepared.tool ?? run.tools.get(intendedTool(prepared))?.specification
    const roundCall: RoundCall = {
      toolCallId: ids[index] as string,
      transcriptId: ids[index] as string,
      name: call.name,
      rawArguments: call.rawArguments,
      toolName: prepared.tool?.name ?? call.name,
      ...(specification ? { specification } : {}),
      effect: specification?.effect ?? 'write',
      input: prepared.ok
        ? prepared.args
        : inputOf(run, call.rawArguments, resolvable ? place.intent.kept : undefined),
      repairs: prepared.ok ? prepared.repairs : [],
      ...(prepared.ok ? { args: prepared.args } : { refusal: prepared.error }),
      ...(intent ? { intent } : {}),
      intentNumber: duplicateOf?.intentNumber ?? intent?.number ?? run.memory.nextIntent++,
      attempt: (intent?.attempts ?? 0) + 1,
      repeated: intent?.lastArguments === writtenArguments(call.rawArguments),
      repetition: 0,
      ...(duplicateOf ? { duplicateOf } : {}),
      approved: false,
    }
    if (!duplicateOf) first.set(key, roundCall)
    return roundCall
  })
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
export function intendedTool(call: PreparedCall): string {
  if (call.ok) return call.tool.name
  return call.tool?.name ?? call.error.details.correction?.name ?? call.error.details.suggestion ?? ''
}

function argumentsOf(call: PreparedCall): Record<string, unknown> {
  return call.ok ? call.args : (call.error.details.correction?.arguments ?? {})
}

/** What a refused call was about: its arguments as far as they can be read, `<as sent>` resolved where it may be. */
function inputOf(
  run: Run,
  rawArguments: string,
  kept: Record<string, unknown> | undefined,
): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(rawArguments)
    if (!isObject(value)) return rawArguments
    if (kept) resolveSlots(value, { kept, shown: run.slots }, [])
    return value
  } catch {
    return rawArguments
  }
}
