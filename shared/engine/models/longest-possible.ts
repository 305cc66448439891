import type { ChatMessage, ModelRequest } from './protocol/model-client.ts'

/** Beside the text of a message, a call or a tool. */
const around = 32
/** Bytes of UTF-8 that one unit of UTF-16 can need. */
const bytesPerUnit = 3
const isAscii = /^[\0-\x7f]*$/

/** Lengths by parameters, which stay the same object from turn to turn. */
const lengths = new WeakMap<object, number>()

/**
 * The most tokens that a request can have for any model, found without counting: no token is less than a byte. Infinite if
 * there are pictures.
 *
 * @example
 * longestPossible({ messages: [{ role: 'user', content: 'Hi' }], tools: [] }) // => 34
 */
export function longestPossible({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  let most = 0
  for (const message of messages) most += around + longestMessage(message)
  for (const { name, description, parameters } of tools) {
    const known = lengths.get(parameters)
    const length = known ?? longestText(JSON.stringify(parameters))
    if (known === undefined) lengths.set(parameters, length)
    most += around + longestText(name) + longestText(description) + length
  }
  return most
}

function longestMessage(message: ChatMessage): number {
  let most = 0
  const { content } = message
  if (typeof content === 'string') most += longestText(content)
  else {
    for (const part of content ?? []) {
      most += part.type === 'text' ? longestText(part.text) : Number.POSITIVE_INFINITY
    }
  }
  if (message.role === 'assistant') {
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      most += around + longestText(call.function.name) + longestText(call.function.arguments)
    }
  }
  return most
}

function longestText(text: string): number {
  return isAscii.test(text) ? text.length : text.length * bytesPerUnit
}
