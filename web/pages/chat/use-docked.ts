import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Pending } from '../../../client/message.ts'
import { places } from '../../shell/shortcuts.ts'
import { useNarrow } from '../../use-narrow.ts'

/** What replaces the composer: on phones, the open items that were not put aside, the first one expanded. */
export function useDocked(pending: readonly Pending[]) {
  const isNarrow = useNarrow()
  const [ids, setIds] = useState<readonly string[]>([])
  const seen = useRef(new Set<string>())
  const asked = pending.filter(({ type }) => type !== 'wait').map(({ itemId }) => itemId)
  // Before painting, so that the card does not appear elsewhere first.
  useLayoutEffect(() => {
    const fresh = asked.filter((id) => !seen.current.has(id))
    for (const id of fresh) seen.current.add(id)
    // Never replaces a field that somebody is typing in.
    if (fresh.length > 0 && !isTyping()) setIds((before) => [...before, ...fresh])
  }, [asked.join(' ')])
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

function isTyping(): boolean {
  const field = document.getElementById(places.message) as HTMLTextAreaElement | null
  return field !== null && field === document.activeElement && field.value !== ''
}
