import type { ChatMessage, LeftOutTool } from './model-client.ts'

/** The messages with a line for the model about the tools that it is not told of; unchanged if there are none. */
export function describeLeftOut(
  messages: ChatMessage[],
  left: readonly LeftOutTool[],
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage[] {
  if (left.length === 0) return messages
  const list = left.map(({ name }) => names?.get(name) ?? name).join(', ')
  const line = `These tools exist, but cannot be used with this model: ${list}. If one of them is needed, say so; do not call it.`
  const [first, ...rest] = messages
  if (first?.role !== 'system' || typeof first.content !== 'string')
    return [{ role: 'system', content: line }, ...messages]
  return [{ ...first, content: `${first.content}\n\n${line}` }, ...rest]
}
