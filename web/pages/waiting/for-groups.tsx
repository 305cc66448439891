import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ItemToApprove } from '../../../client/api/types.ts'
import type { Made } from '../../../client/react/cards/receipt.tsx'
import { useLabels } from '../../../client/react/labels/use-labels.ts'
import { type CardHandlers, PendingCard } from '../../../client/react/messages/pending-card.tsx'
import { useConversationsChanged } from '../../base/conversation-pages.ts'
import { useSession } from '../../base/session.tsx'
import { waitingWords } from './words.ts'

const key = ['approvals']
/** Milliseconds between two looks at what waits for the user's groups. */
const lookMs = 10_000

/** What others' agents ask and a group of the user approves. */
export function useApprovals() {
  const { askback } = useSession()
  return useQuery({
    queryKey: key,
    queryFn: () => askback.approvals.list(),
    staleTime: 0,
    refetchInterval: lookMs,
  })
}

/** Each of them alone, to decide it here. */
export function ForGroups({ listed }: { listed: readonly ItemToApprove[] }) {
  const { askback } = useSession()
  const queries = useQueryClient()
  const changed = useConversationsChanged()
  const words = waitingWords()
  const { openItem } = useLabels()
  const [decided, setDecided] = useState<ReadonlyMap<string, { item: ItemToApprove; made: Made }>>(new Map())
  const put = (itemId: string, one?: { item: ItemToApprove; made: Made }) =>
    setDecided((before) => {
      const now = new Map(before)
      if (one) now.set(itemId, one)
      else now.delete(itemId)
      return now
    })
  const decide = async (asked: ItemToApprove, given: { decision: 'approve' | 'deny'; reason?: string }) => {
    const { itemId, messageId, toolCallId } = asked.item
    const made: Made = { itemId, messageId, toolCallId, at: new Date().toISOString(), ...given }
    put(itemId, { item: asked, made })
    try {
      const item = await askback.approvals.decide(itemId, given)
      const outcome = item.outcome?.text ?? openItem.outcomes[item.outcome?.status ?? 'working'] ?? ''
      // It may wait for its user's approval as well.
      put(itemId, item.decided && { item, made: { ...made, outcome } })
    } catch (error) {
      put(itemId)
      throw error
    } finally {
      await Promise.all([queries.invalidateQueries({ queryKey: key }), changed()])
    }
  }
  const each = new Map([
    ...[...decided].map(([itemId, { item }]) => [itemId, item] as const),
    ...listed.map((one) => [one.item.itemId, one] as const),
  ])
  if (each.size === 0) return null
  return (
    <section className="waiting-later" aria-labelledby="waiting-for-groups">
      <h2 id="waiting-for-groups">{words.forGroups}</h2>
      <ul className="waiting-list">
        {[...each.values()].map((asked) => (
          <li key={asked.item.itemId}>
            <p className="waiting-from" dir="auto">
              {words.asksFor(asked.agent ?? openItem.somebodyAsks, asked.askedFor)}
            </p>
            <PendingCard
              pending={asked.item}
              made={decided.get(asked.item.itemId)?.made}
              handlers={handlersOf((given) => decide(asked, given))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Of an item that can only be approved or denied. */
function handlersOf(
  decide: (given: { decision: 'approve' | 'deny'; reason?: string }) => Promise<void>,
): CardHandlers {
  const impossible = () => Promise.reject(new Error('Only its user can do this.'))
  return {
    settingsHref: '/settings/integrations',
    onAnswer: impossible,
    onSkip: impossible,
    onDecide: (_, { decision, reason }) =>
      decide({ decision: decision === 'approve' ? 'approve' : 'deny', ...(reason ? { reason } : {}) }),
  }
}
