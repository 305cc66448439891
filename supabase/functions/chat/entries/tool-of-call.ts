import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'

/** Finds the tool that a call among some entries names, if the agent has it. */
export type FindTool = (toolCallId: string, entries: readonly Entry[]) => ToolSpecification | undefined

export function createFindTool(tools: readonly { specification: ToolSpecification }[]): FindTool {
  const byName = new Map(tools.map(({ specification }) => [specification.name, specification]))
  return (toolCallId, entries) => {
    const call = entries.findLast((entry) => entry.type === 'call' && entry.toolCallId === toolCallId)
    return call?.type === 'call' ? byName.get(call.toolName) : undefined
  }
}
