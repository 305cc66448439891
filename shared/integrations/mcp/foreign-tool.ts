import { argumentHash } from '../../engine/core/canonical-json.ts'
import type { JsonSchema } from '../../engine/core/json-schema.ts'

/** What a server claims about its tool: https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
export const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type Hint = (typeof hints)[number]
export type Annotations = Partial<Record<Hint, boolean>>

/**
 * A tool of an MCP server, as it was read from its list: what models and people are told of it, and what calls are checked
 * by. Plain JSON: it is stored unchanged, and stays as it was accepted, whatever its server lists later.
 */
export interface ForeignTool {
  /** `<server>__<tool>`, as models call it. */
  name: string
  /** Exactly as its server calls it. */
  foreignName: string
  title: string
  /** In the server's words, whole. */
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: Annotations
}

/** Identifies a definition: permissions and open approvals are bound to it, and end with any change that somebody accepts. */
export function definitionHash(tool: ForeignTool): Promise<string> {
  return argumentHash(tool)
}
