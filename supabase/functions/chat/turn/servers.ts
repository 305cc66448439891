import { z } from 'zod'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ForeignTool } from '../../../../shared/integrations/mcp/foreign-tool.ts'
import { specify } from '../../../../shared/integrations/mcp/specify.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { type RuledTool, ruleOver } from './catalogue.ts'

/** A server as a run names it: its version is another one after every change. */
export interface ServerVersion {
  id: string
  version: string
}

const loadedSchema = z.array(
  z.object({
    id: z.string(),
    version: z.string(),
    name: z.string(),
    trusted: z.boolean(),
    private: z.boolean(),
    /** In the server's order. */
    tools: z.array(
      z.object({
        accepted: z.custom<ForeignTool>(isObject),
        hash: z.string(),
        /** What it says is for `mcp-client`. */
        verifiedBy: z.unknown().optional(),
      }),
    ),
  }),
)
type LoadedServer = z.infer<typeof loadedSchema>[number]

/** Of how many servers this process keeps the tools, those that were used last. */
const mostKnown = 50
/** By id and version, so that the specifications stay the same objects from turn to turn. */
const known = new Map<string, readonly RuledTool[]>()

/** The tools of the servers of a turn, in their order. Only what this process does not have is read. */
export async function describeServers(
  rpc: CallRpc,
  userId: string,
  servers: readonly ServerVersion[],
): Promise<RuledTool[]> {
  const missing = servers.filter((server) => !known.has(keyOf(server)))
  if (missing.length > 0) {
    const asked = rpc('load_servers', { p_user_id: userId, p_ids: missing.map(({ id }) => id) })
    const loaded = await askDatabase(asked, loadedSchema, 'message_not_answered')
    // One that has changed meanwhile is newer than the run says, and one that has gone has no tools.
    for (const server of missing) {
      const found = loaded.find(({ id }) => id === server.id)
      known.set(keyOf(found ?? server), found ? ruledTools(found) : [])
      if (found && found.version !== server.version) known.set(keyOf(server), ruledTools(found))
    }
  }
  const tools = servers.flatMap((server) => recall(keyOf(server)))
  for (const key of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(key)
  }
  return tools
}

/** The tools of all servers of a user, as they are now, with the names of their servers. */
export async function listServerTools(
  rpc: CallRpc,
  userId: string,
): Promise<(RuledTool & { serverName: string })[]> {
  const asked = rpc('load_servers', { p_user_id: userId })
  const loaded = await askDatabase(asked, loadedSchema, 'tools_not_listed')
  return loaded.flatMap((server) => ruledTools(server).map((tool) => ({ ...tool, serverName: server.name })))
}

/** Moves what is used to the end, so that what nobody uses is forgotten first. */
function recall(key: string): readonly RuledTool[] {
  const tools = known.get(key) ?? []
  known.delete(key)
  known.set(key, tools)
  return tools
}

function keyOf({ id, version }: ServerVersion): string {
  return `${id} ${version}`
}

function ruledTools(server: LoadedServer): RuledTool[] {
  return server.tools.map(({ accepted, hash, verifiedBy }) => {
    const specification = specify(accepted, server)
    return {
      name: accepted.name,
      specification,
      function: 'mcp-client',
      action: accepted.foreignName,
      source: 'server',
      server: { id: server.id, tool: accepted, definition: hash, isVerified: verifiedBy != null },
      providers: [],
      approval: specification.effect === 'write' ? 'always' : 'never',
      under: ruleOver({ specification }),
      underGroups: new Map(),
    }
  })
}
