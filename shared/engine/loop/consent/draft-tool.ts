import { prepareToolCall } from '../../calls/prepare-tool-call.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'

/** The tool that saves this call as a draft: of the same integration, with "draft" in its name, accepting these arguments. */
export function findDraftTool(
  toolName: string,
  args: Record<string, unknown>,
  tools: readonly ToolSpecification[],
): { toolName: string; args: Record<string, unknown> } | undefined {
  const integration = toolName.split('_')[0]
  for (const tool of tools) {
    if (tool.effect !== 'write' || !/draft/i.test(tool.name) || tool.name.split('_')[0] !== integration)
      continue
    const prepared = prepareToolCall({ name: tool.name, rawArguments: JSON.stringify(args), tools: [tool] })
    if (prepared.ok) return { toolName: tool.name, args: prepared.args }
  }
  return undefined
}
