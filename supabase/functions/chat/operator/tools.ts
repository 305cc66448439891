import { z } from 'zod'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Act } from './act.ts'

const toolsSchema = z.array(
  z.object({
    name: z.string(),
    title: z.string().nullable(),
    source: z.string(),
    enabled: z.boolean(),
    /** Why it is switched off. */
    reason: z.string().nullable(),
  }),
)

const functionsSchema = z.array(
  z.object({
    /** With its schema. */
    name: z.string(),
    arguments: z.string(),
    description: z.string().nullable(),
    effect: z.enum(['read', 'write']),
    /** The tool that it is; null: it is not offered. */
    tool: z.string().nullable(),
    /** Why it cannot be offered, or not be called any more. */
    refused: z.string().nullable(),
    /** Its arguments are others than when it was offered: it has to be offered again. */
    changed: z.boolean(),
  }),
)

const offerSchema = z.union([z.object({ tool: z.string() }), z.object({ refused: z.string() })])

const notRead = 'so this cannot be read. Try again in a minute.'
const notChanged = 'so nothing was changed. Try again in a minute.'

/** The tools that everybody can have. */
export async function listTools(rpc: CallRpc) {
  return { tools: await askDatabase(rpc('list_shared_tools', {}), toolsSchema, notRead) }
}

/** Switches a tool off for everybody, or on again. Throws ApiError 404. */
export async function switchTool(rpc: CallRpc, act: Act, name: string, enabled: boolean) {
  const asked = rpc('switch_tool', { p_act: act, p_tool_name: name, p_enabled: enabled })
  if (await askDatabase(asked, z.boolean(), notChanged)) return { name, enabled }
  throw new ApiError(404, 'tool_not_found', 'There is no tool with this name that everybody can have.')
}

/** The functions of the app that could be tools, and why some cannot. */
export async function listFunctions(rpc: CallRpc) {
  return { functions: await askDatabase(rpc('list_functions', {}), functionsSchema, notRead) }
}

/** Makes a function of the app a tool. Throws ApiError 422 with the reason where it cannot be one. */
export async function offerFunction(rpc: CallRpc, act: Act, name: string, options: Record<string, string>) {
  const asked = rpc('offer_as_operator', { p_act: act, p_function: name, p_options: options })
  const offered = await askDatabase(asked, offerSchema, notChanged)
  if ('tool' in offered) return offered
  throw new ApiError(422, 'offer_refused', offered.refused)
}

/** Takes the tool of a function away again. Throws ApiError 404. */
export async function withdrawFunction(rpc: CallRpc, act: Act, name: string) {
  const asked = rpc('withdraw_as_operator', { p_act: act, p_function: name })
  if (await askDatabase(asked, z.boolean(), notChanged)) return { withdrawn: name }
  throw new ApiError(404, 'not_offered', 'This function is not offered.')
}
