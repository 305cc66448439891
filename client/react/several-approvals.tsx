import { useId, useState } from 'react'
import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'
import type { CardHandlers } from './pending-card.tsx'
import { holdReceipt } from './receipt.tsx'
import { placeOf, useForget } from './use-kept.ts'

/** Several approvals at once: each with what it asks, each decided by its own request, all of them or those that are chosen. */
export function SeveralApprovals({
  pending,
  onDecide,
}: {
  pending: readonly Pending[]
  onDecide: CardHandlers['onDecide']
}) {
  const id = useId()
  const forget = useForget()
  const [left, setLeft] = useState<readonly string[]>([])
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({})
  const approvals = pending.filter(({ type }) => type === 'approval')
  if (approvals.length < 2) return null
  const chosen = approvals.filter(({ itemId }) => !left.includes(itemId))
  const count = chosen.length === approvals.length ? `all ${approvals.length}` : String(chosen.length)

  const decideAll = (decision: 'approve' | 'deny') => {
    setFailures({})
    const [first] = chosen
    if (first) holdReceipt(first.itemId)
    for (const one of chosen) {
      const { itemId, approvalId = itemId } = one
      const fail = ({ message }: Error) => setFailures((before) => ({ ...before, [itemId]: message }))
      if (decision === 'approve' && isEdited(itemId))
        fail(new Error('You’re editing this one. Send it below.'))
      else onDecide(one, { decision, approvalId }).then(() => forget(placeOf(one)), fail)
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div role="group" aria-labelledby={`${id}-title`} className="askback-card askback-several">
      <h2 id={`${id}-title`}>{approvals.length} approvals</h2>
      <ul>
        {approvals.map(({ itemId, confirm, asked, question }) => (
          <li key={itemId}>
            <label>
              <input
                type="checkbox"
                checked={!left.includes(itemId)}
                onChange={({ target }) =>
                  setLeft((before) =>
                    target.checked ? before.filter((one) => one !== itemId) : [...before, itemId],
                  )
                }
              />
              <span>{shorten(withoutMark(confirm ?? asked ?? question))}</span>
            </label>
            {failures[itemId] && (
              <p role="alert" className="askback-problem">
                {failures[itemId]}
              </p>
            )}
          </li>
        ))}
      </ul>
      <div className="askback-actions">
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('approve')}>
          Approve {count}
        </button>
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('deny')}>
          Deny {count}
        </button>
      </div>
    </div>
  )
}

/** What is being changed in its card is not sent as it was before. */
function isEdited(itemId: string): boolean {
  return document.querySelector(`[data-item="${CSS.escape(itemId)}"] [data-editing]`) !== null
}
