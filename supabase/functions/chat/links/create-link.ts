import { z } from 'zod'
import { type ItemLink, linkSeconds, mostLinks, type NewItemLink } from '../../../../shared/api/item-link.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { beginRefused } from '../turn/begin-refused.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { linkUrl, makeLinkToken } from './link-token.ts'

const createdSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('link'),
    id: z.string(),
    name: z.string().nullable(),
    decides: z.boolean(),
    expiresAt: z.string(),
  }),
  z.object({
    kind: z.literal('error'),
    code: z.string(),
    why: z.enum(['connection', 'wait', 'approvers', 'unknown', 'destructive', 'too_many']).optional(),
  }),
])

/**
 * Makes a link to an open item of a user, or, for the project (null), of whoever has it. Throws ApiError 404 without such an
 * item, 422 if nobody may decide it by a link, 503 if the project has no app where it could lead.
 */
export async function createLink(
  { rpc, appUrls, functionSecret }: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
  userId: string | null,
  itemId: string,
  { decides = false, name, expiresIn }: NewItemLink = {},
): Promise<{ link: ItemLink }> {
  if (appUrls.base === undefined) throw new ApiError('not_configured', { why: 'app_urls' })
  if (decides && !functionSecret) throw new ApiError('not_configured', { why: 'deciding_links' })
  const token = makeLinkToken()
  const p_link = {
    id: crypto.randomUUID(),
    itemId,
    hash: await sha256(token),
    decides,
    name,
    seconds: expiresIn ?? (decides ? linkSeconds.deciding : linkSeconds.usual),
  }
  const asked = rpc('create_item_link', { p_user_id: userId, p_link })
  const made = await askDatabase(asked, createdSchema, 'not_changed')
  if (made.kind === 'error') throw refused(made)
  const { id, expiresAt } = made
  const url = linkUrl(appUrls.base, token)
  return {
    link: { id, url, expiresAt, decides: made.decides, name: made.name ?? undefined },
  }
}

function refused({ code, why }: Extract<z.infer<typeof createdSchema>, { kind: 'error' }>) {
  if (why === undefined) return beginRefused(code)
  return new ApiError('link_not_possible', why === 'too_many' ? { why, most: mostLinks } : { why })
}

/** Revokes a link of a user, or, for the project (null), any. Throws ApiError 404. */
export async function revokeLink(
  { rpc }: Pick<ChatDependencies, 'rpc'>,
  userId: string | null,
  id: string,
): Promise<{ deleted: string }> {
  const asked = rpc('revoke_item_link', { p_user_id: userId, p_link_id: id })
  if (await askDatabase(asked, z.boolean(), 'not_revoked')) return { deleted: id }
  throw new ApiError('link_not_found')
}
