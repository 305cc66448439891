import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'

/**
 * What OpenAI's API refuses in a list of messages, in its own words; undefined for a valid list.
 *
 * Rules: every tool call of an assistant message is answered by exactly one tool message before anything
 * else follows, a tool message answers a call, and no list is empty.
 * Source: the 400 answers of `POST /v1/chat/completions`.
 */
export function findMessageProblem(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return "Invalid 'messages': empty array. Expected an array with minimum length 1."
  }
  let open = new Set<string>()
  for (const [index, message] of (messages as ChatCompletionMessageParam[]).entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) {
        return `Invalid parameter: messages[${index}] with role 'tool' must be a response to a preceding message with 'tool_calls' (tool_call_id ${message.tool_call_id}).`
      }
      continue
    }
    if (open.size > 0) return unanswered(open)
    if (message.role === 'assistant' && message.tool_calls !== undefined) {
      if (message.tool_calls.length === 0) return `Invalid 'messages[${index}].tool_calls': empty array.`
      open = new Set(message.tool_calls.map((call) => call.id))
      if (open.size < message.tool_calls.length) return `Duplicate tool_call_id in messages[${index}].`
    } else if (message.content === undefined || message.content === null) {
      return `Invalid value for 'content' in messages[${index}]: expected a string, got null.`
    }
  }
  return open.size > 0 ? unanswered(open) : undefined
}

function unanswered(ids: Set<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`
}
