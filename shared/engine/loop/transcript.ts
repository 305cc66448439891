import type { ChatCompletionToolMessageParam } from 'openai/resources/chat/completions'
import { isObject, readJsonText } from '../core/json-value.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { wireName } from '../models/protocol/wire-names.ts'
import type { RoundCall } from './round-call.ts'

/**
 * The assistant's message for a round. Its arguments are always a JSON object, and a name that no tool has is plain:
 * some providers read them again and refuse the whole conversation otherwise.
 */
export function assistantCalls(text: string, calls: readonly RoundCall[]): ChatMessage {
  return {
    role: 'assistant',
    content: text.trim() === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.transcriptId,
      type: 'function',
      function: { name: nameOf(call), arguments: readableArguments(call) },
      ...(call.extraContent === undefined ? {} : { extra_content: call.extraContent }),
    })),
  }
}

/** The tool's own name, by which results are found again: what it is called on the wire depends on the other tools. */
function nameOf({ toolName, specification }: RoundCall): string {
  return specification?.name === toolName ? toolName : wireName(toolName)
}

export function toolMessage(toolCallId: string, content: string): ChatCompletionToolMessageParam {
  return { role: 'tool', tool_call_id: toolCallId, content }
}

/** What a tool returned, as the model reads it. */
export function outputText(data: unknown): string {
  if (typeof data === 'string') return data === '' ? '(empty)' : data
  return JSON.stringify(data ?? null)
}

function readableArguments({ rawArguments, args, repairs, refusal }: RoundCall): string {
  const wasRead = args !== undefined && repairs.length === 0
  if (wasRead || isObject(readJsonText(rawArguments))) return rawArguments
  const correction = refusal?.details.correction
  if (!correction) return JSON.stringify(args ?? {})
  const open = new Set(correction.open)
  return JSON.stringify(
    Object.fromEntries(Object.entries(correction.arguments).filter(([name]) => !open.has(name))),
  )
}
