import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { toolSearchName } from '../../tools/tool-search.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import type { Run } from '../run/run.ts'

/**
 * The tools whose definitions the model reads: all, or, where there are too many, the search for them and those that it has
 * found, that were called, or that a wrong call was about.
 */
export function offeredTools({ agent, state }: Run): readonly ToolSpecification[] {
  if (agent.tools.at(-1)?.name !== toolSearchName) return agent.tools
  const names = new Set([toolSearchName])
  for (const called of state.calls.values()) {
    names.add(called.call.intendedTool ?? called.call.toolName)
    for (const name of foundBy(called)) names.add(name)
  }
  return agent.tools.filter(({ name }) => names.has(name))
}

function foundBy({ call, result }: CallState): string[] {
  if (call.toolName !== toolSearchName || !result?.result.ok) return []
  const { data } = result.result
  if (!isObject(data) || !Array.isArray(data.tools)) return []
  return data.tools.flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? [tool.name] : []))
}
