import type { ChatCompletionToolMessageParam } from 'openai/resources/chat/completions'
import type { ChatMessage } from '../models/model-client.ts'
import { markFine } from '../models/wire-messages.ts'
import { wireName } from '../models/wire-names.ts'
import { isObject, readJsonText } from '../schema/json-value.ts'
import type { RoundCall } from './round-call.ts'

/**
 * The assistant's message for a round. Its arguments are always a JSON object and its names plain: some providers
 * read them again and refuse the whole conversation otherwise.
 */
export function assistantCalls(text: string, calls: readonly RoundCall[]): ChatMessage {
  const message: ChatMessage = {
    role: 'assistant',
    content: text.trim() === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.transcriptId,
      type: 'function',
      function: { name: wireName(call.name), arguments: readableArguments(call) },
      ...(call.extraContent === undefined ? {} : { extra_content: call.extraContent }),
    })),
  }
  // Only the server that sent it knows what is in it.
  if (calls.every(({ extraContent }) => extraContent === undefined)) markFine(message)
  return message
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
