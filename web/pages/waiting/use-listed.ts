import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OpenItem } from '../../../client/api/message.ts'
import type { Made } from '../../../client/react/cards/receipt.tsx'
import { useLabels } from '../../../client/react/labels/use-labels.ts'
import { useSession } from '../../base/session.tsx'
import { useOpenCount } from '../../waiting/open-count.ts'

const key = ['open']
/** Milliseconds between two looks at a chat that is running. */
const lookMs = 3000

/** Something that was decided elsewhere. */
interface Elsewhere extends Made {
  item: OpenItem
  /** What was decided is known when its chat runs no longer. */
  isRunning: boolean
}

const isIn = (items: readonly { itemId: string }[], { itemId }: { itemId: string }) =>
  items.some((one) => one.itemId === itemId)

/**
 * What is open, and what was decided elsewhere since the page was opened. What was asked anew, has expired or is gone with
 * its chat is not kept.
 *
 * @param made What was decided on this page.
 */
export function useListed(made: readonly Made[]) {
  const { askback } = useSession()
  const queries = useQueryClient()
  const labels = useLabels()
  const count = useOpenCount()
  const latest = useRef(made)
  latest.current = made
  const seen = useRef<readonly OpenItem[]>([])
  const [elsewhere, setElsewhere] = useState<readonly Elsewhere[]>([])
  const isMine = ({ itemId }: OpenItem) =>
    latest.current.some((one) => one.itemId === itemId && one.decision !== 'late')

  /** What was decided about items that are listed no longer, as far as it is known. */
  const findDecided = async (gone: readonly OpenItem[]): Promise<Elsewhere[]> => {
    const ids = [...new Set(gone.map(({ conversationId }) => conversationId))]
    const read = ids.map((id) => askback.conversations.get(id).catch(() => undefined))
    const chats = (await Promise.all(read)).filter((chat) => chat !== undefined)
    return gone.flatMap((item): Elsewhere[] => {
      const chat = chats.find(({ id }) => id === item.conversationId)
      const one = chat?.decided?.find(({ itemId }) => itemId === item.itemId)
      if (!one && chat?.status !== 'running') return []
      const { itemId, messageId, toolCallId } = item
      const made = one ?? { itemId, messageId, toolCallId, at: new Date().toISOString() }
      const known = one ? { before: one.decision, outcome: '' } : { outcome: labels.workingOn }
      return [{ ...made, item, decision: 'late', ...known, isRunning: !one }]
    })
  }

  const open = useQuery({
    queryKey: key,
    async queryFn() {
      const { items } = await askback.open()
      const gone = seen.current.filter(
        (one) => isKept(one) && !isIn(items, one) && !isMine(one) && !isAskedAnew(one, items),
      )
      const found = await findDecided(gone)
      const isOpen = found.filter(({ isRunning }) => isRunning).map(({ item }) => item)
      // What is being decided here may turn out to be decided elsewhere.
      seen.current = [...items, ...seen.current.filter((one) => !isIn(items, one) && isMine(one)), ...isOpen]
      setElsewhere((before) => [...before.filter((one) => !one.isRunning && !isIn(found, one)), ...found])
      return { items, isRunning: isOpen.length > 0 }
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isRunning ? lookMs : false),
  })
  const refresh = () => queries.invalidateQueries({ queryKey: key })
  // Items decided in another tab, or newly opened.
  useEffect(() => void refresh(), [queries, count])
  return { open, elsewhere, refresh }
}

/** Waits and connections also end by themselves. */
function isKept({ type }: OpenItem): boolean {
  return type === 'approval' || type === 'input'
}

function isAskedAnew({ conversationId, intent }: OpenItem, items: readonly OpenItem[]): boolean {
  return items.some((one) => one.conversationId === conversationId && one.intent === intent)
}
