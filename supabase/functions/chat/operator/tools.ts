import { z } from 'zod'
import { appFunction, type Offer, sharedTool } from '../../../../shared/api/operator.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { OneOf } from '../../../../shared/words/refuse.ts'
import type { NotOffered } from '../../../../shared/words/refused/not-offered.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import type { Act } from './act.ts'

const refusalSchema = z.custom<OneOf<NotOffered>>(isObject)
const offerSchema = z.union([z.object({ tool: z.string() }), z.object({ refused: refusalSchema })])

/** The tools that are in this project. */
export async function listTools({ rpc, isInstalled }: Pick<ChatDependencies, 'rpc' | 'isInstalled'>) {
  const listed = sharedTool().extend({ function: z.string() })
  const tools = await askDatabase(rpc('list_shared_tools', {}), z.array(listed), 'not_read')
  return { tools: tools.filter(isInstalled).map(({ function: _, ...tool }) => tool) }
}

/** Switches a tool off for everybody, or on again. Throws ApiError 404. */
export async function switchTool(rpc: CallRpc, act: Act, name: string, enabled: boolean) {
  const asked = rpc('switch_tool', { p_act: act, p_tool_name: name, p_enabled: enabled })
  if (await askDatabase(asked, z.boolean(), 'not_changed')) return { name, enabled }
  throw new ApiError('tool_not_found')
}

/** The functions of the app that could be tools, and why some cannot. */
export async function listFunctions(rpc: CallRpc, language: Language) {
  const listed = appFunction().extend({ refused: refusalSchema.nullable() })
  const found = await askDatabase(rpc('list_functions', {}), z.array(listed), 'not_read')
  const say = (values: OneOf<NotOffered>) => sayRefusal(language, { code: 'offer_refused', values })
  return { functions: found.map((one) => ({ ...one, refused: one.refused && say(one.refused) })) }
}

/** Makes a function of the app a tool. Throws ApiError 422 with the reason if it cannot be one. */
export async function offerFunction(rpc: CallRpc, act: Act, name: string, options: Offer) {
  const asked = rpc('offer_as_operator', { p_act: act, p_function: name, p_options: options })
  const offered = await askDatabase(asked, offerSchema, 'not_changed')
  if ('tool' in offered) return offered
  throw new ApiError('offer_refused', offered.refused)
}

/** Removes the tool of a function. Throws ApiError 404. */
export async function withdrawFunction(rpc: CallRpc, act: Act, name: string) {
  const asked = rpc('withdraw_as_operator', { p_act: act, p_function: name })
  if (await askDatabase(asked, z.boolean(), 'not_changed')) return { withdrawn: name }
  throw new ApiError('not_offered')
}
