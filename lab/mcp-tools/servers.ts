import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { integration as documents } from '../../supabase/functions/docs-api/integration.ts'
import { integration as gmail } from '../../supabase/functions/gmail-api/integration.ts'
import { integration as smtp } from '../../supabase/functions/smtp-api/integration.ts'
import { integration as search } from '../../supabase/functions/web-search-api/integration.ts'

/** The tools of one server. */
export interface Server {
  name: string
  tools: ToolSpecification[]
}

/** A tool in an answer to `tools/list`: https://modelcontextprotocol.io/specification/2025-06-18/server/tools */
interface McpTool {
  name: string
  description?: string
  inputSchema?: JsonSchema
  annotations?: { readOnlyHint?: boolean }
}

/** The recorded answers to `tools/list` in a folder, a server a file: `{ tools: [{ name, inputSchema, … }] }`. */
export async function readServers(folder: string): Promise<Server[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  return Promise.all(
    files.map(async (file) => {
      const { tools } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { tools: McpTool[] }
      return { name: file.replace(/\.json$/, ''), tools: tools.map(specify) }
    }),
  )
}

function specify({ name, description = '', inputSchema, annotations }: McpTool): ToolSpecification {
  const effect = annotations?.readOnlyHint ? 'read' : 'write'
  return { name, description, parameters: inputSchema ?? { type: 'object', properties: {} }, effect }
}

/** The tools of the product. */
export function ownServers(): Server[] {
  return [gmail, smtp, documents, search].map(({ name, tools }) => ({
    name,
    tools: tools.map(({ specification }) => specification),
  }))
}
