import type { ChatCompletionToolMessageParam } from 'openai/resources/chat/completions'
import type { ChatMessage } from '../models/model-client.ts'
import { isObject, readJsonText } from '../schema/json-value.ts'
import type { RoundCall } from './round-call.ts'

/**
 * The assistant's message for a round. Its arguments are always a JSON object and its names plain: some providers
 * read them again and refuse the whole conversation otherwise.
 */
export function assistantCalls(text: string, calls: readonly RoundCall[]): ChatMessage {
  return {
    role: 'assistant',
    content: text.trim() === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.transcriptId,
      type: 'function',
      function: { name: plainName(call.name), arguments: readableArguments(call) },
      ...(call.extraContent === undefined ? {} : { extra_content: call.extraContent }),
    })),
  }
}

export function toolMessage(toolCallId: string, content: string): ChatCompletionToolMessageParam {
  return { role: 'tool', tool_call_id: toolCallId, content }
}

/** What a tool returned, as the model reads it. */
export function outputText(data: unknown): string {
  if (typeof data === 'string') return data === '' ? '(empty)' : data
  return JSON.stringify(data ?? null)
}

function plainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

function readableArguments({ rawArguments, args, refusal }: RoundCall): string {
  if (isObject(readJsonText(rawArguments))) return rawArguments
  const correction = refusal?.details.correction
  if (!correction) return JSON.stringify(args ?? {})
  const open = new Set(correction.open)
  return JSON.stringify(
    Object.fromEntries(Object.entries(correction.arguments).filter(([name]) => !open.has(name))),
  )
}
