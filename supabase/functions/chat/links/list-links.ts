import { z } from 'zod'
import type { ListedLink } from '../../../../shared/api/item-link.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { openItemSchema, showItem } from '../answer/open-item.ts'

const listSchema = z.array(
  z.object({
    id: z.string(),
    decides: z.boolean(),
    name: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string(),
    item: openItemSchema,
  }),
)

/** The links of a user that still lead to an open item, oldest first. Throws ApiError. */
export async function listLinks(
  rpc: CallRpc,
  userId: string,
  language: Language,
): Promise<{ links: ListedLink[] }> {
  const found = await askDatabase(rpc('list_item_links', { p_user_id: userId }), listSchema, 'not_read')
  return {
    links: found.flatMap(({ item, name, ...link }) => {
      const { itemId, conversationId } = item
      return showItem(item, [item], language).map(({ confirm, asked }) => ({
        ...link,
        itemId,
        conversationId,
        sentence: confirm ?? asked,
        ...(name === null ? {} : { name }),
      }))
    }),
  }
}
