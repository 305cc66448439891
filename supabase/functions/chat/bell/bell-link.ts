import { steadyLink } from '../links/steady-link.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'

/** The link of an item for a destination: every attempt sends the same one. */
export async function linkOf(
  parts: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
  { onOpenId, userId, itemId, isOpen }: { onOpenId: string; userId: string; itemId: string; isOpen: boolean },
): Promise<string | null> {
  const link = await steadyLink(parts, { purpose: `askback-bell:${onOpenId}`, userId, itemId })
  if (isOpen) await link?.make()
  return link?.url ?? null
}
