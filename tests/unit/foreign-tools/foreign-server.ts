import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ForeignTool } from '../../../shared/integrations/mcp/foreign-tool.ts'
import { importTools } from '../../../shared/integrations/mcp/import-tools.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'

/** A tool as a server lists it. */
export function listed(name: string, properties: Record<string, unknown> = {}, more: object = {}) {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties }, ...more }
}

/** The tools of a server named linear, and what people are told. */
export async function read(tools: unknown, taken: readonly string[] = []) {
  const { tools: read, notes } = await importTools(tools, { server: 'linear', taken })
  return { tools: read, told: notes.map((said) => inEnglish(said)) }
}

/** The only tool of a list. */
export async function readOne(tool: unknown): Promise<ForeignTool> {
  const { tools, told } = await read([tool])
  const [one] = tools
  if (!one) throw new Error(`It was left out: ${told.join(' ')}`)
  return one
}

/** What was read of a schema of arguments. */
export async function readSchema(inputSchema: unknown): Promise<JsonSchema> {
  return (await readOne({ name: 'add', inputSchema })).inputSchema
}
