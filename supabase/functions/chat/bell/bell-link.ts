import { linkSeconds } from '../../../../shared/api/item-link.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { linkUrl, tokenOfBytes } from '../links/link-token.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { hmac } from './sign-ring.ts'

/**
 * The link of an item for a destination. Its token follows from the function secret: every attempt sends the same link, and
 * nothing of it is stored but its hash.
 */
export async function linkOf(
  { rpc, appUrls, functionSecret }: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
  { onOpenId, userId, itemId, isOpen }: { onOpenId: string; userId: string; itemId: string; isOpen: boolean },
): Promise<string | null> {
  if (appUrls.base === undefined || !functionSecret) return null
  const bytes = new Uint8Array(await hmac(functionSecret, `askback-bell:${onOpenId}:${userId}:${itemId}`))
  const token = tokenOfBytes(bytes)
  if (isOpen) {
    const hash = await sha256(token)
    const p_link = { id: idOf(hash), itemId, hash, decides: false, seconds: linkSeconds.most }
    await rpc('create_item_link', { p_user_id: userId, p_link })
  }
  return linkUrl(appUrls.base, token)
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
