import { isObject } from '../../core/json-value.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { fitShare, mostTools, toolSearchName } from '../../tools/tool-search.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import type { Run } from '../run/run.ts'

/**
 * The tools whose definitions the model reads: all, or, where there are too many, those that it needs not find, the search for
 * the others, and the newest of those that it has found, that were called, or that a wrong call was about, as far as they fit
 * its window.
 */
export function offeredTools({
  agent,
  state,
  specifications,
  window,
  toFind,
}: Run): readonly ToolSpecification[] {
  if (toFind.size === 0) return agent.tools
  const newestFirst = [...state.calls.values()]
    .reverse()
    .flatMap((called) => [called.call.intendedTool ?? called.call.toolName, ...foundBy(called)])
  const others = [...new Set(newestFirst)].filter((name) => toFind.has(name))
  const found = others.flatMap((name) => specifications.get(name) ?? [])
  const direct = agent.tools.filter(({ name }) => !toFind.has(name) && name !== toolSearchName)
  const told = fitShare([...direct, ...found].slice(0, mostTools), window)
  const names = new Set([toolSearchName, ...told.map(({ name }) => name)])
  return agent.tools.filter(({ name }) => names.has(name))
}

function foundBy({ call, result }: CallState): string[] {
  if (call.toolName !== toolSearchName || !result?.result.ok) return []
  const { data } = result.result
  if (!isObject(data) || !Array.isArray(data.tools)) return []
  return data.tools.flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? [tool.name] : []))
}
