import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionToolMessageParam as ToolMessage,
} from 'openai/resources/chat/completions'
import { toolError } from '../core/tool-error.ts'
import { readMessageText } from '../models/protocol/message-text.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { shortenId } from '../models/protocol/wire-messages.ts'

/**
 * Earlier messages in a form that every provider accepts: each tool call gets an id of its own and is followed by exactly
 * one tool message, tool messages without a call are dropped, missing results are marked, and the text of system
 * messages is returned for the only system message of the run.
 */
export function healMessages(messages: readonly ChatMessage[]): { system: string[]; turns: ChatMessage[] } {
  const system: string[] = []
  const turns: ChatMessage[] = []
  const ids = new Set<string>()
  messages.forEach((message, index) => {
    if (message.role === 'system' || message.role === 'developer')
      system.push(readMessageText(message.content))
    else if (message.role === 'assistant' && message.tool_calls?.length) {
      // Only the ones that follow: a provider may have used the same id in several rounds.
      const results = toolMessagesAfter(messages, index)
      for (const one of withResults(message, message.tool_calls, results, ids)) turns.push(one)
    } else if (message.role !== 'tool') {
      if (message.role === 'user' && turns.at(-1)?.role === 'tool') turns.push(interrupted)
      turns.push(message.role === 'assistant' ? withWords(message) : message)
    }
  })
  return { system: system.filter((text) => text !== ''), turns }
}

/** A message with tool calls and one result for each; an id that was used before is replaced in both. */
function withResults(
  message: ChatCompletionAssistantMessageParam,
  calls: readonly ChatCompletionMessageToolCall[],
  results: ToolMessage[],
  ids: Set<string>,
): ChatMessage[] {
  const renamed: ChatCompletionMessageToolCall[] = []
  const answers: ToolMessage[] = []
  for (const call of calls) {
    const id = ids.has(call.id) ? shortenId(`${call.id} ${ids.size}`) : call.id
    ids.add(id)
    renamed.push(id === call.id ? call : { ...call, id })
    const found = results.findIndex((result) => result.tool_call_id === call.id)
    const [result] = found < 0 ? [missingMessage(id)] : results.splice(found, 1)
    if (result) answers.push(result.tool_call_id === id ? result : { ...result, tool_call_id: id })
  }
  return [{ ...message, tool_calls: renamed }, ...answers]
}

function toolMessagesAfter(messages: readonly ChatMessage[], index: number) {
  const results: ToolMessage[] = []
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at]
    if (message?.role !== 'tool') break
    results.push(message)
  }
  return results
}

/** No provider accepts an assistant message with neither words nor calls. */
function withWords({ tool_calls: _none, ...message }: ChatCompletionAssistantMessageParam): ChatMessage {
  const { content } = message
  const isEmpty = typeof content === 'string' ? content.trim() === '' : !content?.length
  return isEmpty ? { ...message, content: '(no answer)' } : message
}

/** Some providers refuse a user message directly after a tool message. */
const interrupted: ChatMessage = { role: 'assistant', content: '(interrupted)' }

/** The text for a call whose result nobody recorded. */
export const missingResult = toolError(
  'outcome_unknown',
  'No result was recorded; whether it was carried out is not known.',
)

/** JSON with `ok: false`, so that nobody takes the call for one that ran. */
function missingMessage(id: string): ToolMessage {
  const { ok, error } = missingResult
  return { role: 'tool', tool_call_id: id, content: JSON.stringify({ ok, error }) }
}
