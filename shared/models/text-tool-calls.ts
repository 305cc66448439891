import type { ToolSpecification } from '../tools/tool-specification.ts'
import type { ModelToolCall } from './model-client.ts'

/** Finds tool calls that a model wrote into its text; `text` is what is left for the reader. */
export function readTextToolCalls(
  text: string,
  _tools: readonly ToolSpecification[],
): { text: string; toolCalls: ModelToolCall[] } {
  return { text, toolCalls: [] }
}
