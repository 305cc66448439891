import { z } from 'zod'
import type { ToolError } from '../../engine/core/tool-error.ts'
import { saidOf } from '../../engine/wording/question-for-people.ts'
import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import { type StoredConnection, storedConnectionSchema } from '../connections/stored-connection.ts'
import type { CallRpc } from '../database/call-rpc.ts'

/**
 * The tool's providers; empty if it needs no connection. Of the user's connections, `usable_connections` in SQL puts the
 * one chosen for the tool first, then those that work, each in the user's own order.
 */
export function providerIdsOf({ specification }: CatalogueTool): string[] {
  return specification.providers ?? []
}

/** The user's connections that this tool can use, without claiming anything: for reads. null: it is switched off. */
export async function loadConnections(
  rpc: CallRpc,
  { userId, agentId }: { userId: string; agentId?: string },
  tool: CatalogueTool,
): Promise<StoredConnection[] | null> {
  const stored = await rpc('load_connections', {
    p_user_id: userId,
    p_providers: providerIdsOf(tool),
    p_agent_id: agentId ?? null,
    p_tool_name: tool.specification.name,
  })
  return z.array(storedConnectionSchema).nullable().parse(stored)
}

/** Records for the owner whether a connection works. */
export async function markConnection(
  rpc: CallRpc,
  userId: string,
  connectionId: string,
  error: ToolError | null,
): Promise<void> {
  await rpc('mark_connection', {
    p_user_id: userId,
    p_connection_id: connectionId,
    p_status: error === null ? 'connected' : 'failed',
    p_error: error?.error ?? null,
    p_said: error && saidOf(error),
  })
}
