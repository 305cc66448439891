import { toolError } from '../errors/tool-error.ts'
import type { CallToPrepare, PreparedCall } from './prepared-call.ts'

/** Finds the tool, reads and repairs the arguments, validates them; an error is data, never a throw. */
export function prepareToolCall(call: CallToPrepare): PreparedCall {
  for (const offered of call.tools) {
    const tool = 'specification' in offered ? offered.specification : offered
    if (tool.name !== call.name) continue
    try {
      return {
        ok: true,
        tool,
        args: JSON.parse(call.rawArguments || '{}') as Record<string, unknown>,
        repairs: [],
      }
    } catch {
      const error = 'Question: The arguments are not a JSON object. Please send them again as one.'
      return { ok: false, tool, error: toolError('malformed_arguments', error) }
    }
  }
  return {
    ok: false,
    error: toolError('tool_not_found', `Question: There is no tool "${call.name}". Which tool did you mean?`),
  }
}
