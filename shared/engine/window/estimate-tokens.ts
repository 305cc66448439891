import type { ToolSpecification } from '../core/tool-specification.ts'
import type { ChatMessage, ModelRequest } from '../models/protocol/model-client.ts'
import type { ToolRules } from '../models/protocol/tool-rules.ts'
import { wireTool } from '../models/protocol/wire-tools.ts'
import { countTokens } from '../wording/count-tokens.ts'

/** What a request takes beside its messages and tools: the beginning of the answer. */
const aroundRequest = 3
/** Role and separators of a message (3 to 4 at OpenAI: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken). */
const aroundMessage = 4
/** A call's id, type and braces, and the id of a result. */
const aroundCall = 12
const aroundResult = 8
/**
 * A picture of usual size: 765 to 1,105 at OpenAI, 258 for each 768 pixels square at Gemini, at most about 1,600 at
 * Anthropic (https://docs.claude.com/en/docs/build-with-claude/vision).
 */
const perPicture = 1_600

/**
 * Roughly the tokens of a request for a model that nothing is known about: by script, so that a scale that was learned
 * with one text also holds for the next. Counted once for each message and tool, by identity.
 *
 * @example
 * estimateTokens({ messages: [{ role: 'user', content: 'Say hello.' }], tools: [] }) // => 10
 */
export function estimateTokens({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  let tokens = aroundRequest
  for (const message of messages) tokens += messageTokens(message)
  for (const tool of tools) tokens += toolTokens(tool)
  return tokens
}

const countedMessages = new WeakMap<ChatMessage, { content: unknown; tokens: number }>()

/** Roughly the tokens of one message. */
export function messageTokens(message: ChatMessage): number {
  const { content } = message
  const counted = countedMessages.get(message)
  // The system message is made before it has its text.
  if (counted && counted.content === content) return counted.tokens
  const tokens = countMessage(message)
  countedMessages.set(message, { content, tokens })
  return tokens
}

function countMessage(message: ChatMessage): number {
  let tokens = aroundMessage + countContent(message.content)
  if (message.role === 'tool') tokens += aroundResult
  if (message.role === 'assistant') {
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      tokens += aroundCall + countTokens(call.function.name) + countTokens(call.function.arguments)
    }
  }
  return tokens
}

function countContent(content: ChatMessage['content']): number {
  if (typeof content === 'string') return countTokens(content)
  let tokens = 0
  for (const part of content ?? []) {
    if (part.type === 'text') tokens += countTokens(part.text)
    else if (part.type === 'image_url') tokens += perPicture
  }
  return tokens
}

/** By parameters, which stay the same object from turn to turn. */
const countedTools = new WeakMap<object, { description: string; tokens: number }>()
/** Of a server that takes definitions as they are. */
const noRules: ToolRules = { form: 'plain' }

/** Roughly the tokens of a tool's definition. */
export function toolTokens(tool: ToolSpecification): number {
  const { description, parameters } = tool
  const counted = countedTools.get(parameters)
  if (counted?.description === description) return counted.tokens
  const tokens = countTokens(JSON.stringify(wireTool(tool, noRules, undefined)))
  countedTools.set(parameters, { description, tokens })
  return tokens
}
