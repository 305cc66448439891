import { z } from 'zod'
import { foldName } from '../../../../shared/engine/calls/names/compare-names.ts'
import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { Approvers, ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { OAuthAccess } from '../../../../shared/integrations/definition/integration.ts'
import type { ForeignTool } from '../../../../shared/integrations/mcp/foreign-tool.ts'
import { specificationSchema } from '../../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { AgentTools, ToolConnection } from './loaded-turn.ts'

const providerSchema = z.object({
  id: z.string(),
  name: z.string(),
  service: z.string(),
  purpose: z.string(),
  connection: z.custom<JsonSchema>(isObject),
  oauth: z.custom<OAuthAccess>(isObject).nullable(),
  builtIn: z.boolean(),
})

const toolSchema = z.object({
  name: z.string(),
  specification: specificationSchema,
  /** The function that runs it, and the action it is asked for. */
  function: z.string(),
  action: z.string(),
  /** One of ours, one of the project's own integrations, or a function that the application offers. */
  source: z.enum(['askback', 'project', 'application']),
  /** Ids of providers that it can use, preferred one first. */
  providers: z.array(z.string()),
  /** `sometimes`: depending on the values that the specification names. */
  approval: z.enum(['always', 'sometimes', 'never']),
  /** False: an operator has switched it off. */
  enabled: z.boolean(),
})

const catalogueSchema = z.object({
  version: z.string(),
  tools: z.array(toolSchema),
  providers: z.array(providerSchema),
})

type Approval = z.infer<typeof toolSchema>['approval']
type CatalogueTool = z.infer<typeof toolSchema>
type CatalogueProvider = z.infer<typeof providerSchema>

/**
 * A tool that the agent may use now, with its providers and the user's connections to them. Its specification says when a
 * call of this agent has to be approved.
 */
export type PermittedTool = Pick<CatalogueTool, 'specification' | 'function' | 'action'> & {
  /** `server`: others run it, see `server`. */
  source: CatalogueTool['source'] | 'server'
  /** With the definition that the model has read. `isVerified`: another tool of it tells what became of a call. */
  server?: { id: string; tool: ForeignTool; definition: string; isVerified?: boolean }
  connectionId: string | null | undefined
  providers: (CatalogueProvider & { connections: Omit<ToolConnection, 'provider'>[] })[]
}

/** A tool with its specification under each rule that an agent can have for it. */
export type RuledTool = Pick<PermittedTool, 'specification' | 'function' | 'action' | 'source' | 'server'> &
  Pick<CatalogueTool, 'name' | 'providers' | 'approval'> & {
    under: Record<Approval, ToolSpecification>
    /** Where a group approves, by group. */
    underGroups: Map<string, ToolSpecification>
  }

interface Catalogue {
  version: string
  /** In their order, those only that nobody has switched off. */
  tools: readonly RuledTool[]
  /** Of all tools, as `foldName` makes them. */
  names: ReadonlySet<string>
  providers: ReadonlyMap<string, CatalogueProvider>
}

/**
 * The catalogue as this process read it last. Its specifications stay the same objects, so that what the engine has worked
 * out about them is found again.
 */
let known: Catalogue | undefined

/**
 * The tools of a turn, as the catalogue of this version describes them; it is read only if this process does not have it. Then
 * those of servers, except the ones that are called like another tool.
 */
export async function describeTools(
  rpc: CallRpc,
  turn: { catalogue: string; tools: AgentTools; connections: readonly ToolConnection[] },
  ofServers: readonly RuledTool[] = [],
): Promise<PermittedTool[]> {
  const {
    tools: own,
    names,
    providers,
  } = known?.version === turn.catalogue ? known : await readCatalogue(rpc)
  const tools = ofServers.length === 0 ? own : [...own, ...withOtherNames(ofServers, names)]
  const approvers = new Map(
    turn.tools.approvers.flatMap(({ names, ...who }) => names.map((name) => [name, who] as const)),
  )
  const permissions = new Map(
    turn.tools.permissions.flatMap((permission) => permission.names.map((name) => [name, permission])),
  )
  return tools.flatMap((tool) => {
    const permission = permissions.get(tool.name)
    if (!(permission?.allowed ?? turn.tools.access === 'all')) return []
    if (turn.tools.granted && !turn.tools.granted.includes(tool.name)) return []
    const usable = tool.providers.flatMap((id) => providers.get(id) ?? [])
    return [
      {
        specification: specificationUnder(tool, permission?.approval, approvers.get(tool.name)),
        function: tool.function,
        action: tool.action,
        source: tool.source,
        ...(tool.server && { server: tool.server }),
        connectionId: permission?.connectionId,
        providers: usable.map((provider) => ({
          ...provider,
          connections: turn.connections.filter((one) => one.provider === provider.id),
        })),
      },
    ]
  })
}

async function readCatalogue(rpc: CallRpc): Promise<Catalogue> {
  const read = await askDatabase(rpc('load_catalogue', {}), catalogueSchema, 'message_not_answered')
  known = {
    version: read.version,
    tools: read.tools
      .filter(({ enabled }) => enabled)
      .map((tool) => ({ ...tool, under: ruleOver(tool), underGroups: new Map() })),
    names: new Set(read.tools.map(({ name }) => foldName(name))),
    providers: new Map(read.providers.map((provider) => [provider.id, provider])),
  }
  return known
}

/** Those that nobody can take for another tool: ours are first, also those that are off. */
function withOtherNames(tools: readonly RuledTool[], taken: ReadonlySet<string>): RuledTool[] {
  const names = new Set(taken)
  return tools.filter(({ name }) => {
    const folded = foldName(name)
    const isFree = !names.has(folded)
    names.add(folded)
    return isFree
  })
}

/** The specification that says when a call has to be approved, and by whom. */
function specificationUnder(
  tool: RuledTool,
  approval: 'always' | 'never' | null | undefined,
  approvers: Approvers | undefined,
): ToolSpecification {
  if (!approvers) return tool.under[approval ?? tool.approval]
  const key = `${approvers.who} ${approvers.groupId} ${approvers.group}`
  const known = tool.underGroups.get(key) ?? { ...tool.under.always, approvers }
  tool.underGroups.set(key, known)
  return known
}

/** A specification under each rule that an agent can have for it. */
export function ruleOver({
  specification,
}: Pick<CatalogueTool, 'specification'>): Record<Approval, ToolSpecification> {
  // Who approves is no tool's own to say.
  const { approvers: _, ...own } = specification
  const { approval: __, ...never } = own
  const always = { ...never, approval: 'always' } as const
  return { always, sometimes: own, never: own.alwaysAsks ? always : never }
}
