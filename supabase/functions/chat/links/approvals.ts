import { z } from 'zod'
import type { ItemToApprove } from '../../../../shared/api/item-link.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { showItem } from '../answer/open-item.ts'
import { decidedAs, openedItemSchema, outcomeOf } from './linked-item.ts'

const approvalSchema = openedItemSchema.extend({ askedFor: z.string() })
/** An item for one of the group that approves it (SQL `open_approval`). */
type OpenedApproval = z.infer<typeof approvalSchema>

/** What waits for a user as one of a group, oldest first, and what each item itself says, nothing else. */
export async function listApprovals(
  rpc: CallRpc,
  userId: string,
  language: Language,
): Promise<{ items: ItemToApprove[] }> {
  const found = await askDatabase(
    rpc('list_approvals', { p_user_id: userId }),
    z.array(approvalSchema),
    'not_read',
  )
  return { items: found.map((opened) => showApproval(opened, language)) }
}

/** An item that a user may decide as one of a group, open or closed. Throws ApiError 404 if they may not. */
export async function openApproval(rpc: CallRpc, userId: string, itemId: string): Promise<OpenedApproval> {
  const asked = rpc('open_approval', { p_user_id: userId, p_item_id: itemId })
  const opened = await askDatabase(asked, approvalSchema.nullable(), 'not_read')
  if (!opened) throw new ApiError('item_not_found')
  return opened
}

/** The item in a language. Throws ApiError 404 if its question is gone. */
export function showApproval(opened: OpenedApproval, language: Language): ItemToApprove {
  const { item, agent, askedFor, outcome } = opened
  const shown = item ? showItem(item, [item], language)[0] : undefined
  if (!shown) throw new ApiError('item_not_found')
  const decided = decidedAs(opened)
  return {
    item: shown,
    agent,
    askedFor,
    ...(decided ? { decided } : {}),
    ...(outcome ? { outcome: outcomeOf(outcome, item?.tool ?? null, language) } : {}),
  }
}
