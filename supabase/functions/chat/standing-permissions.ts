import { z } from 'zod'
import { type NewPermission, type Permission, permission } from '../../../shared/api/permission.ts'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import {
  coversAddress,
  publicDomainOf,
  recipientParameter,
  recipientsOf,
} from '../../../shared/engine/provenance/recipients.ts'
import { fillOpenFields } from '../../../shared/engine/transcript/open-fields.ts'
import { specificationSchema } from '../../../shared/server/database/answer-schemas.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { openItemSchema } from './answer/open-item.ts'
import { beginRefused } from './turn/begin-refused.ts'
import type { Decision } from './turn/decision.ts'
import { aboutLimitSchema, refuseByLimit } from './turn/limit-words.ts'

export async function listPermissions(
  rpc: CallRpc,
  userId: string,
  { agentId }: { agentId?: string | undefined },
): Promise<{ permissions: Permission[] }> {
  const asked = rpc('list_permissions', { p_user_id: userId, p_agent_id: agentId ?? null })
  return { permissions: await askDatabase(asked, z.array(permission()), 'permissions_not_listed') }
}

const addedSchema = z.union([
  z.object({ permission: permission() }),
  z.object({ kind: z.literal('error'), code: z.string(), about: aboutLimitSchema.optional() }),
])

/** Gives a permission. Throws ApiError for somebody else's agent, and for a tool that sends to nobody. */
export async function addPermission(
  rpc: CallRpc,
  userId: string,
  given: NewPermission,
): Promise<{ permission: Permission }> {
  const { toolName } = given
  const tool = await askDatabase(
    rpc('find_tool', { p_user_id: userId, p_tool_name: toolName }),
    specificationSchema.nullable(),
    'not_permitted',
  )
  if (!tool) throw new ApiError('unknown_tool', { why: 'named', tool: toolName })
  const path = tool.effect === 'write' ? recipientParameter(tool) : undefined
  if (path === undefined) {
    throw new ApiError('permission_not_possible', { why: 'tool', tool: toolName })
  }
  const domain = publicDomainOf(given.pattern)
  if (domain !== undefined) throw new ApiError('pattern_too_wide', { domain })
  const asked = rpc('add_permission', { p_user_id: userId, p_permission: { ...given, path } })
  const added = await askDatabase(asked, addedSchema, 'not_permitted')
  if ('kind' in added) {
    throw added.about ? refuseByLimit(added.code, added.about) : beginRefused(added.code)
  }
  return added
}

/** Revokes a permission, from the next claim on. Throws ApiError 404. */
export async function revokePermission(rpc: CallRpc, userId: string, id: string) {
  const asked = rpc('revoke_permission', { p_user_id: userId, p_permission_id: id })
  if (await askDatabase(asked, z.boolean(), 'not_revoked')) return { deleted: id }
  throw new ApiError('permission_not_found')
}

/**
 * Checks that a permission fits the call that it is given with, as the user edited it. What is not open any more is left
 * to the decision itself. Throws ApiError 400.
 */
export async function requireFit(
  rpc: CallRpc,
  userId: string,
  conversationId: string,
  itemId: string,
  { values = {}, input, remember }: Pick<Decision, 'values' | 'input' | 'remember'>,
): Promise<void> {
  const asked = rpc('list_items', { p_user_id: userId, p_conversation_id: conversationId })
  const items = await askDatabase(asked, z.array(openItemSchema), 'not_permitted')
  const item = items.find((one) => one.itemId === itemId)
  if (!item) return
  const { entry, tool } = item
  const pattern = remember?.pattern ?? ''
  if (!entry?.remember || !tool) throw new ApiError('permission_not_possible', { why: 'question' })
  const isFilledIn = input !== undefined || entry.open.length > 0
  const whole = fillOpenFields(input ?? entry.arguments, entry.open, values)
  const args = isFilledIn ? prepare(tool, whole) : entry.arguments
  const recipients = args && recipientsOf(tool, args)
  const domain = publicDomainOf(pattern)
  if (domain !== undefined)
    throw new ApiError('pattern_too_wide', { domain, addresses: recipients?.addresses })
  if (!recipients?.addresses.every((address) => coversAddress(pattern, address))) {
    throw new ApiError('pattern_does_not_fit', { pattern, addresses: recipients?.addresses })
  }
}

function prepare(tool: ToolSpecification, input: Record<string, unknown>) {
  const prepared = prepareToolCall({ name: tool.name, rawArguments: JSON.stringify(input), tools: [tool] })
  return prepared.ok ? prepared.args : undefined
}
