import { type RefObject, useMemo, useState } from 'react'
import type { Pending } from '../../api/message.ts'
import { useNarrow } from '../interaction/use-narrow.ts'
import { composerIn } from './composer-field.ts'

/** What replaces the composer: in a chat as narrow as a phone, the open items that were not put aside, the first one expanded. */
export function useDocked(pending: readonly Pending[], chat: RefObject<HTMLElement | null>) {
  const isNarrow = useNarrow(chat)
  const [ids, setIds] = useState<readonly string[]>([])
  const [seen, setSeen] = useState<readonly string[]>([])
  const asked = pending
    .filter(({ type, declinedIn }) => type !== 'wait' && !declinedIn)
    .map(({ itemId }) => itemId)
  const fresh = asked.filter((id) => !seen.includes(id))
  // At once, so that the card does not come among the messages first, which would scroll them.
  if (fresh.length > 0) {
    setSeen([...seen, ...fresh])
    // Never replaces a field that somebody is typing in.
    if (!isTyping(chat.current)) setIds([...ids, ...fresh])
  }
  const here = isNarrow ? pending.filter(({ itemId }) => ids.includes(itemId)) : []
  const key = here.map(({ itemId }) => itemId).join(' ')
  return {
    docked: here[0],
    /** Ids of all docked items. */
    dockedIds: useMemo(() => key.split(' '), [key]),
    /** Puts all currently open items aside. */
    putAside: () => setIds([]),
    /** Returns whether it is docked. */
    dock(itemId: string): boolean {
      if (isNarrow) setIds([itemId])
      return isNarrow
    },
  }
}

function isTyping(chat: HTMLElement | null): boolean {
  const field = composerIn(chat)
  return field !== null && field === document.activeElement && field.value !== ''
}
