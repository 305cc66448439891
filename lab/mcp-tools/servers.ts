import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { importTools } from '../../shared/integrations/mcp/import-tools.ts'
import { specify } from '../../shared/integrations/mcp/specify.ts'
import { integration as documents } from '../../supabase/functions/docs-api/integration.ts'
import { integration as gmail } from '../../supabase/functions/gmail-api/integration.ts'
import { integration as smtp } from '../../supabase/functions/smtp-api/integration.ts'
import { integration as search } from '../../supabase/functions/web-search-api/integration.ts'

/** The tools of one server. */
export interface Server {
  name: string
  tools: ToolSpecification[]
  /** Of a server that others run: its list as it was recorded, and the schemas there by the names that the tools have here. */
  listed?: Listed[]
  said?: ReadonlyMap<string, JsonSchema | undefined>
}

/** A tool in an answer to `tools/list`: https://modelcontextprotocol.io/specification/2025-06-18/server/tools */
export type Listed = Record<string, unknown> & { name: string; inputSchema?: JsonSchema }

/**
 * The recorded answers to `tools/list` in a folder, a server a file: `{ tools: [{ name, inputSchema, … }] }`, as Askback reads
 * them from a trusted server.
 */
export async function readServers(folder: string): Promise<Server[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  const taken = ownServers().flatMap(({ tools }) => tools.map(({ name }) => name))
  return Promise.all(
    files.map(async (file) => {
      const name = file.replace(/\.json$/, '')
      const answer = JSON.parse(await readFile(join(folder, file), 'utf8')) as { tools: Listed[] }
      const { tools } = await importTools(answer, { server: name, taken })
      const schemas = new Map(answer.tools.map((tool) => [tool.name, tool.inputSchema]))
      return {
        name,
        tools: tools.map((tool) => specify(tool, { name, trusted: true })),
        listed: answer.tools,
        said: new Map(tools.map((tool) => [tool.name, schemas.get(tool.foreignName)])),
      }
    }),
  )
}

/** The tools of the product. */
export function ownServers(): Server[] {
  return [gmail, smtp, documents, search].map(({ name, tools }) => ({
    name,
    tools: tools.map(({ specification }) => specification),
  }))
}
