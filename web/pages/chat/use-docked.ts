import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Pending } from '../../../client/message.ts'
import { places } from '../../shell/shortcuts.ts'
import { useNarrow } from '../../use-narrow.ts'

/** What stands in place of the composer: on phones what is open and was not put aside, the first of it unfolded. */
export function useDocked(pending: readonly Pending[]) {
  const isNarrow = useNarrow()
  const [ids, setIds] = useState<readonly string[]>([])
  const seen = useRef(new Set<string>())
  const asked = pending.filter(({ type }) => type !== 'wait').map(({ itemId }) => itemId)
  // Before it is drawn: it stands nowhere else first.
  useLayoutEffect(() => {
    const fresh = asked.filter((id) => !seen.current.has(id))
    for (const id of fresh) seen.current.add(id)
    // Nobody loses what they are typing into.
    if (fresh.length > 0 && !isTyping()) setIds((before) => [...before, ...fresh])
  }, [asked.join(' ')])
  const here = isNarrow ? pending.filter(({ itemId }) => ids.includes(itemId)) : []
  const key = here.map(({ itemId }) => itemId).join(' ')
  return {
    docked: here[0],
    /** Of all that waits there for its turn. */
    dockedIds: useMemo(() => key.split(' '), [key]),
    /** For all that is open now. */
    putAside: () => setIds([]),
    /** Returns whether it is shown there. */
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
