import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { definitionHash, type ForeignTool } from '../shared/integrations/mcp/foreign-tool.ts'
import { importTools } from '../shared/integrations/mcp/import-tools.ts'

/** A server of MCP as its user has added it, with all tools accepted as it lists them. */
export interface AddedServer {
  id: string
  tools: ForeignTool[]
}

/** Adds a server without asking it: of a user, or of the project. */
export async function addServer(
  sql: postgres.Sql,
  {
    userId = null,
    name,
    url,
    tools: listed,
    trusted = false,
    mayHavePrivate = false,
  }: {
    userId?: string | null
    name: string
    url: string
    tools: unknown[]
    trusted?: boolean
    mayHavePrivate?: boolean
  },
): Promise<AddedServer> {
  const id = randomUUID()
  const { tools } = await importTools({ tools: listed }, { server: name, taken: [] })
  await sql`
    insert into askback.mcp_servers (id, user_id, name, url, trusted, private, status)
    values (${id}, ${userId}, ${name}, ${url}, ${trusted}, ${mayHavePrivate}, 'ready')`
  for (const [position, tool] of tools.entries()) {
    await sql`
      insert into askback.mcp_tools (server_id, user_id, foreign_name, name, accepted, hash, position)
      values (
        ${id}, ${userId}, ${tool.foreignName}, ${tool.name}, ${sql.json(tool as never)}, ${await definitionHash(tool)},
        ${position}
      )`
  }
  return { id, tools }
}

/** Accepts another definition of a tool, as a person does in the settings. */
export async function acceptDefinition(
  sql: postgres.Sql,
  serverId: string,
  tool: ForeignTool,
): Promise<void> {
  await sql`
    update askback.mcp_tools set accepted = ${sql.json(tool as never)}, hash = ${await definitionHash(tool)}
    where server_id = ${serverId} and foreign_name = ${tool.foreignName}`
  await sql`update askback.mcp_servers set version = gen_random_uuid() where id = ${serverId}`
}

export async function removeServer(sql: postgres.Sql, serverId: string): Promise<void> {
  await sql`delete from askback.mcp_servers where id = ${serverId}`
}
