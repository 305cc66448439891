import { useId, useState } from 'react'
import { describeFailure } from '../labels/failure.ts'
import { sayPending } from '../labels/say.ts'
import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'
import { decidedTogether } from './decided-together.ts'
import type { CardHandlers } from './pending-card.tsx'
import { Problem } from './problem.tsx'
import { holdReceipt } from './receipt.tsx'
import { notePress } from './stray-press.ts'
import { placeOf, useForget } from './use-kept.ts'
import { useLabels } from './use-labels.ts'

/**
 * Several approvals at once: each shows its question and is decided by its own request; approve all or only the selected
 * ones. What may have been done already is decided one by one.
 */
export function SeveralApprovals({
  pending,
  onDecide,
}: {
  pending: readonly Pending[]
  onDecide: CardHandlers['onDecide']
}) {
  const labels = useLabels()
  const id = useId()
  const forget = useForget()
  const [left, setLeft] = useState<readonly string[]>([])
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({})
  const approvals = decidedTogether(pending)
  // One that was refused is shown until it is decided, even if it is the only one left.
  if (approvals.length < 2 && approvals.every(({ itemId }) => !failures[itemId])) return null
  const chosen = approvals.filter(({ itemId }) => !left.includes(itemId))
  const isAll = approvals.length > 1 && chosen.length === approvals.length

  const decideAll = (decision: 'approve' | 'deny') => {
    setFailures({})
    const [first] = chosen
    if (first) holdReceipt(first.itemId)
    for (const one of chosen) {
      const { itemId, approvalId = itemId } = one
      const fail = (words: string) => setFailures((before) => ({ ...before, [itemId]: words }))
      if (decision === 'approve' && isEdited(itemId)) fail(labels.isBeingEdited)
      else
        onDecide(one, { decision, approvalId }).then(
          () => forget(placeOf(one)),
          (error) => fail(describeFailure(error, labels)),
        )
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      className="askback-card askback-several"
      onClickCapture={notePress}
    >
      <h2 id={`${id}-title`}>{labels.approvals(approvals.length)}</h2>
      <ul>
        {approvals
          .map((one) => sayPending(labels, one))
          .map(({ itemId, confirm, asked, question }) => (
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
                <span dir="auto">{shorten(withoutMark(confirm ?? asked ?? question))}</span>
              </label>
              <Problem>{failures[itemId]}</Problem>
            </li>
          ))}
      </ul>
      <div className="askback-actions">
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('approve')}>
          {isAll ? labels.approveAll(chosen.length) : labels.approveSome(chosen.length)}
        </button>
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('deny')}>
          {isAll ? labels.denyAll(chosen.length) : labels.denySome(chosen.length)}
        </button>
      </div>
    </div>
  )
}

/** One that is being edited in its card must not be sent unedited. */
function isEdited(itemId: string): boolean {
  return document.querySelector(`[data-item="${CSS.escape(itemId)}"] [data-editing]`) !== null
}
