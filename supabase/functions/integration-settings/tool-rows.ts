import type { Said } from '../../../shared/engine/core/asked.ts'
import { compareDefinitions, type ToolChange } from '../../../shared/integrations/mcp/compare-definitions.ts'
import { definitionHash, type ForeignTool } from '../../../shared/integrations/mcp/foreign-tool.ts'
import { nameTools } from '../../../shared/integrations/mcp/tool-names.ts'
import type { VerifiedBy } from '../../../shared/integrations/mcp/verified-by.ts'

/** A tool of a server as it is stored. */
export interface ToolRow {
  foreignName: string
  name: string
  /** The definition in force; undefined: nobody has accepted one yet. */
  accepted?: ForeignTool | undefined
  hash?: string | undefined
  /** What there is to accept. */
  proposed?: ForeignTool | undefined
  change?: Exclude<ToolChange['kind'], 'unchanged'> | undefined
  said: Said[]
  enabled: boolean
  /** Tells what became of its calls: `tool` as the server calls it. */
  verifiedBy?: (VerifiedBy & { tool: string }) | undefined
}

/** The tools of a server that was just added: adding it accepts them. */
export function acceptAll(tools: readonly ForeignTool[]): Promise<ToolRow[]> {
  return Promise.all(
    tools.map(async (tool) => ({
      foreignName: tool.foreignName,
      name: tool.name,
      accepted: tool,
      hash: await definitionHash(tool),
      said: [],
      enabled: true,
    })),
  )
}

/** The tools of a server that was listed again, in its order; those that are gone come last. */
export async function compareRows(rows: readonly ToolRow[], now: readonly ForeignTool[]): Promise<ToolRow[]> {
  const known = new Map(rows.map((row) => [row.foreignName, row]))
  const accepted = rows.flatMap((row) => row.accepted ?? [])
  const compared = await Promise.all(
    compareDefinitions(accepted, now).map((change) => rowOf(change, known.get(change.foreignName))),
  )
  const places = new Map(now.map(({ foreignName }, place) => [foreignName, place]))
  const placeOf = ({ foreignName }: ToolRow) => places.get(foreignName) ?? now.length
  return compared.sort((one, other) => placeOf(one) - placeOf(other))
}

async function rowOf(
  { kind, foreignName, said, inForce, proposed }: ToolChange,
  before: ToolRow | undefined,
): Promise<ToolRow> {
  // One that is off or gone stays as it was accepted.
  const accepted = inForce ?? before?.accepted
  return {
    foreignName,
    name: accepted?.name ?? proposed?.name ?? foreignName,
    ...(accepted && { accepted, hash: await definitionHash(accepted) }),
    ...(proposed && { proposed }),
    ...(kind === 'unchanged' ? {} : { change: kind }),
    said,
    enabled: before?.enabled ?? true,
    verifiedBy: before?.verifiedBy,
  }
}

/** The tools after what is different with some of them was accepted; those that are gone are gone then. */
export async function acceptRows(rows: readonly ToolRow[], names: ReadonlySet<string>): Promise<ToolRow[]> {
  const accepted = rows.map(async (row): Promise<ToolRow[]> => {
    const { change, proposed, ...rest } = row
    if (change === undefined || !names.has(row.name)) return [row]
    if (change === 'gone') return []
    const definition = proposed ?? row.accepted
    if (definition === undefined) return [row]
    return [{ ...rest, accepted: definition, hash: await definitionHash(definition), said: [] }]
  })
  return (await Promise.all(accepted)).flat()
}

/** The tools under another name of their server. */
export async function renameRows(
  rows: readonly ToolRow[],
  server: string,
  taken: readonly string[],
): Promise<ToolRow[]> {
  const foreignNames = rows.map(({ foreignName }) => foreignName)
  const names = await nameTools(server, foreignNames, taken)
  const renamed = rows.map(async (row): Promise<ToolRow[]> => {
    const name = names.get(row.foreignName)?.name
    if (name === undefined) return []
    const accepted = row.accepted && { ...row.accepted, name }
    const proposed = row.proposed && { ...row.proposed, name }
    return [{ ...row, name, accepted, proposed, hash: accepted && (await definitionHash(accepted)) }]
  })
  return (await Promise.all(renamed)).flat()
}
