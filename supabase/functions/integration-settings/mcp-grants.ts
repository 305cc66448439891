import { z } from 'zod'
import {
  grantableAgent,
  type McpGrant,
  type McpGrantChange,
  mcpGrant,
  type NewMcpGrant,
} from '../../../shared/api/mcp-grant.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'

export function readGrants(rpc: CallRpc, userId: string) {
  const listed = z.object({ grants: z.array(mcpGrant()), agents: z.array(grantableAgent()) })
  return askDatabase(rpc('list_mcp_grants', { p_user_id: userId }), listed, 'grants_not_listed')
}

/** Throws ApiError 404 for somebody else's agent, 400 for a tool that does not exist, 403 for one too many. */
export async function makeGrant(rpc: CallRpc, userId: string, given: NewMcpGrant): Promise<McpGrant> {
  return await settled(rpc('make_mcp_grant', { p_user_id: userId, p_grant: given }), 'not_permitted')
}

/** Throws ApiError 404, or 400 for a tool that does not exist. */
export async function changeGrant(
  rpc: CallRpc,
  userId: string,
  id: string,
  change: McpGrantChange,
): Promise<McpGrant> {
  const asked = rpc('change_mcp_grant', { p_user_id: userId, p_grant_id: id, p_change: change })
  return await settled(asked, 'not_changed')
}

/** Throws ApiError 404. */
export async function revokeGrant(rpc: CallRpc, userId: string, id: string) {
  const asked = rpc('revoke_mcp_grant', { p_user_id: userId, p_grant_id: id })
  if (await askDatabase(asked, z.boolean(), 'not_revoked')) return { deleted: id }
  throw new ApiError('grant_not_found')
}

const refusedSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['agent_not_found', 'grant_not_found']) }),
  z.object({ code: z.literal('unknown_tool'), tool: z.string() }),
  z.object({ code: z.literal('too_many_grants'), limit: z.number() }),
])

async function settled(asked: Promise<unknown>, so: 'not_permitted' | 'not_changed'): Promise<McpGrant> {
  const answer = await askDatabase(asked, z.union([z.object({ grant: mcpGrant() }), refusedSchema]), so)
  if ('grant' in answer) return answer.grant
  if (answer.code === 'too_many_grants') {
    throw new ApiError('limit_reached', { why: 'grants', limit: answer.limit })
  }
  if (answer.code === 'unknown_tool') throw new ApiError('unknown_tool', { why: 'named', tool: answer.tool })
  if (answer.code === 'agent_not_found') throw new ApiError('agent_not_found', { why: 'one' })
  throw new ApiError('grant_not_found')
}
