import { z } from 'zod'
import type { AnswerOf } from '../../../shared/api/route.ts'
import {
  type askFirst,
  type listUnaskedTools as route,
  unaskedTool,
} from '../../../shared/api/unasked-tool.ts'
import { specificationSchema } from '../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { ChatDependencies } from './turn/dependencies.ts'

const rowSchema = z.object({ ...unaskedTool().shape, function: z.string(), source: z.string() })

/** The tools that a user's agents use without asking: those whose functions are in this project. */
export async function listUnaskedTools(
  { rpc, isInstalled }: Pick<ChatDependencies, 'rpc' | 'isInstalled'>,
  userId: string,
): Promise<AnswerOf<typeof route>> {
  const asked = rpc('list_unasked_tools', { p_user_id: userId })
  const rows = await askDatabase(asked, z.array(rowSchema), 'permissions_not_listed')
  return { tools: rows.filter(isInstalled).map(({ function: _, source: __, ...tool }) => tool) }
}

/** Has an agent ask before it uses a tool. Throws ApiError for somebody else's agent, and for a tool that there is not. */
export async function setAskFirst(
  rpc: CallRpc,
  userId: string,
  { agentId, toolName }: { agentId: string; toolName: string },
): Promise<AnswerOf<typeof askFirst>> {
  const found = rpc('find_tool', { p_user_id: userId, p_tool_name: toolName })
  if (!(await askDatabase(found, specificationSchema.nullable(), 'not_revoked')))
    throw new ApiError('unknown_tool', { why: 'named', tool: toolName })
  const asked = rpc('ask_first', { p_user_id: userId, p_agent_id: agentId, p_tool_name: toolName })
  if (!(await askDatabase(asked, z.boolean(), 'not_revoked')))
    throw new ApiError('agent_not_found', { why: 'one' })
  return { deleted: toolName }
}
