import type { McpVerifier } from '../../../shared/api/mcp-server.ts'
import { verifierFault } from '../../../shared/integrations/mcp/verified-by.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { ToolRow } from './tool-rows.ts'

/** Whether agents can use a tool that somebody has accepted. */
export function isOn({ enabled, change }: ToolRow): boolean {
  return enabled && change !== 'off' && change !== 'gone'
}

/**
 * A tool with another one of its server that tells what became of its calls; null: with none; undefined: as it was. Throws
 * ApiError 422 for one that cannot tell.
 */
export function withVerifier(
  row: ToolRow,
  given: McpVerifier | null | undefined,
  rows: readonly ToolRow[],
): ToolRow {
  if (given === undefined || !row.accepted) return row
  if (given === null) return { ...row, verifiedBy: undefined }
  const { tool, arguments: args, found } = given
  const reader = rows.find(({ name }) => name === tool)
  if (!reader?.accepted) throw new ApiError('not_verifiable', { why: 'not_here', tool })
  if (!isOn(reader)) throw new ApiError('not_verifiable', { why: 'off', tool })
  const fault = verifierFault(given, row.accepted, reader.accepted)
  const refusal = fault && { ...fault, tool, of: row.name }
  if (refusal) throw new ApiError('not_verifiable', refusal)
  return { ...row, verifiedBy: { tool: reader.foreignName, arguments: args, found } }
}

/** The tool that tells what became of its calls, by its name here; undefined if there is none, or it is gone. */
export function verifierOf({ verifiedBy }: ToolRow, rows: readonly ToolRow[]): McpVerifier | undefined {
  const reader = rows.find(({ foreignName }) => foreignName === verifiedBy?.tool)
  return verifiedBy && reader && { ...verifiedBy, tool: reader.name }
}
