import { z } from 'zod'
import { linkSeconds } from '../../../../shared/api/item-link.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { hmac } from '../../../../shared/server/credentials/hmac.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { linkUrl, tokenOfBytes } from './link-token.ts'

type Parts = Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>

const madeSchema = z.object({ kind: z.string() })

/**
 * A link without authority whose token follows from the function secret: whoever asks for it again for the same purpose gets
 * the same link, and nothing of it is stored but its hash. Undefined where the project has no app to which it could lead.
 * `make`: resolves to whether the link can be used.
 */
export async function steadyLink(
  { rpc, appUrls, functionSecret }: Parts,
  { purpose, userId, itemId }: { purpose: string; userId: string; itemId: string },
): Promise<{ url: string; make: () => Promise<boolean> } | undefined> {
  if (appUrls.base === undefined || !functionSecret) return undefined
  const bytes = new Uint8Array(await hmac(functionSecret, `${purpose}:${userId}:${itemId}`))
  const token = tokenOfBytes(bytes)
  return {
    url: linkUrl(appUrls.base, token),
    async make() {
      const hash = await sha256(token)
      const p_link = { id: idOf(hash), itemId, hash, decides: false, seconds: linkSeconds.most }
      const asked = rpc('create_item_link', { p_user_id: userId, p_link })
      return (await askDatabase(asked, madeSchema, 'not_changed')).kind === 'link'
    },
  }
}

/** A UUID (version 8, RFC 9562) of a hash: the same link is stored once. */
function idOf(hash: string): string {
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 15),
    hash.slice(15, 18),
    hash.slice(18, 30),
  ]
  return `${a}-${b}-8${c}-8${d}-${e}`
}
