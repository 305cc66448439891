import { z } from 'zod'
import { saidError, type ToolError } from '../../engine/core/tool-error.ts'
import { toolValues } from '../../engine/wording/question-values.ts'
import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import { askDatabase } from '../database/ask-database.ts'
import type { CallRpc } from '../database/call-rpc.ts'

/** The answer for a call of a tool that an operator has switched off; undefined for every other tool. */
export async function findSwitchedOff(rpc: CallRpc, tool: CatalogueTool): Promise<ToolError | undefined> {
  const asked = rpc('switched_off_reason', { p_tool_name: tool.specification.name })
  const reason = await askDatabase(asked, z.string().nullish(), 'not_done')
  return reason ? describeSwitchedOff(tool, reason) : undefined
}

/** The same for a tool that has just been switched off, even if it was switched on again since. */
export async function switchedOff(rpc: CallRpc, tool: CatalogueTool): Promise<ToolError> {
  return (await findSwitchedOff(rpc, tool)) ?? describeSwitchedOff(tool)
}

/** Nobody in the conversation can change it. `reason` is the operator's own text. */
export function describeSwitchedOff(
  { specification }: Pick<CatalogueTool, 'specification'>,
  reason?: string | null,
): ToolError {
  const values = { ...toolValues(specification), reason: reason || undefined }
  return saidError('permission_denied', { code: 'tool_switched_off', values }, { resolver: 'nobody' })
}
