import { z } from 'zod'
import { prepareToolCall } from '../../../../shared/engine/calls/prepare-tool-call.ts'
import { callKey } from '../../../../shared/engine/core/canonical-json.ts'
import { clipText } from '../../../../shared/engine/core/clip-text.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { simplifySchema } from '../../../../shared/engine/models/protocol/wire-schema.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import {
  type AskedAgent,
  askAgentName,
  askedAgent,
  type CallRequest,
  type ClientTool,
  type ToolsRequest,
} from '../../../../shared/server/client-calls/client-call.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { parseRequest } from '../../../../shared/server/http/parse-request.ts'
import { describeTools } from '../turn/catalogue.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { toolsOfAgentSchema } from '../turn/loaded-turn.ts'

type Parts = Pick<ChatDependencies, 'rpc' | 'isInstalled'>

const loadedSchema = toolsOfAgentSchema
  .extend({ agentId: z.string(), failed: z.number(), forms: z.boolean() })
  .nullable()

async function loadTools(
  { rpc, isInstalled }: Parts,
  { userId, agentId, grantId }: ToolsRequest,
  call?: { program: string; tool: string },
): Promise<{
  agentId: string
  failed: number
  forms: boolean
  tools: ToolSpecification[]
  mayAsk: boolean
}> {
  const args = {
    p_user_id: userId,
    p_agent_id: agentId,
    p_client: call?.program,
    p_tool: call?.tool,
    p_grant_id: grantId,
  }
  const loaded = await askDatabase(rpc('load_client_tools', args), loadedSchema, 'tools_not_listed')
  if (!loaded) throw new ApiError('agent_not_found', { why: 'one' })
  const tools = (await describeTools(rpc, loaded)).filter(isInstalled)
  const mayAsk = loaded.tools.granted?.includes(askAgentName) ?? true
  return { ...loaded, tools: tools.map(({ specification }) => specification), mayAsk }
}

/** The tools that a program may call: those of the agent. */
export async function listClientTools(parts: Parts, request: ToolsRequest): Promise<{ tools: ClientTool[] }> {
  const { tools } = await loadTools(parts, request)
  return { tools: tools.map(describe) }
}

function describe(tool: ToolSpecification): ClientTool {
  const { name, description, parameters, effect, destructive } = tool
  return {
    name,
    title: titleOf(tool),
    description,
    parameters: simplifySchema(parameters) as Record<string, unknown>,
    effect,
    isDestructive: destructive !== undefined,
  }
}

/** A call as it will be made. */
export interface ReadCall {
  agentId: string
  tools: ToolSpecification[]
  /** Of the tool that is meant. */
  title: string
  rawArguments: string
  /** Attempts of the program at this tool that have just failed. */
  failed: number
  /** Equal for equal calls. */
  print: string
  /** The same of a write; undefined for everything that may be done again. */
  key: string | undefined
  /** Whether the program may show approvals itself. */
  forms: boolean
  /** What the program asks the agent itself. */
  asked?: AskedAgent
}

export async function readCall(parts: Parts, request: CallRequest): Promise<ReadCall> {
  const { tool, program } = request
  const loaded = await loadTools(parts, request, { program: program.name, tool })
  const { tools, mayAsk, ...about } = loaded
  const rawArguments = JSON.stringify(request.arguments)
  if (tool === askAgentName && mayAsk && tools.every(({ name }) => name !== tool)) {
    const asked = parseRequest(askedAgent, request.arguments)
    const title = clipText(asked.message, 60)
    const print = await sha256(callKey(tool, request.arguments))
    return { ...about, tools, title, rawArguments, failed: 0, print, key: undefined, asked }
  }
  const prepared = prepareToolCall({ name: tool, rawArguments, tools })
  const print = await sha256(
    prepared.ok ? callKey(prepared.tool.name, prepared.args) : callKey(tool, request.arguments),
  )
  const key = prepared.ok && prepared.tool.effect === 'write' ? print : undefined
  return { ...about, tools, title: titleOf(prepared.tool ?? { name: tool }), rawArguments, print, key }
}
