import { toolError } from '../errors/tool-error.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { findFaults } from '../schema/find-faults.ts'
import type { ToolSpecification } from '../tools/tool-specification.ts'
import { explainFaults } from './explain-faults.ts'
import type { CallToPrepare, PreparedCall } from './prepared-call.ts'
import { readArguments } from './read-arguments.ts'

/** Finds the tool, reads and repairs the arguments, validates them; an error is data, never a throw. */
export function prepareToolCall(call: CallToPrepare): PreparedCall {
  const specifications = call.tools.map((tool) => ('specification' in tool ? tool.specification : tool))
  const tool = specifications.find(({ name }) => name === call.name)
  if (!tool) return toolNotFound(call.name, specifications)
  const reading = readArguments(call.rawArguments, { finishReason: call.finishReason })
  if (!reading.ok) {
    const error = `Question: I could not read the arguments of ${tool.name}: ${reading.message}. Please send the whole call again as one JSON object.`
    return { ok: false, tool, error: toolError('malformed_arguments', error) }
  }
  const compiled = compileSchema(tool.parameters)
  if (compiled.isValid(reading.value))
    return { ok: true, tool, args: reading.value, repairs: reading.repairs }
  return { ok: false, tool, error: explainFaults(tool, compiled, findFaults(compiled, reading.value)) }
}

function toolNotFound(name: string, tools: ToolSpecification[]): PreparedCall {
  const allowed = tools.slice(0, 15).map((tool) => tool.name)
  const error = `Question: There is no tool "${name}". Which of these should I use: ${allowed.join(', ')}?`
  return { ok: false, error: toolError('tool_not_found', error, { details: { allowed } }) }
}
