import { useEffect, useId, useRef, useState } from 'react'
import { describeFailure } from '../labels/failure.ts'
import { sayPending } from '../labels/say.ts'
import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'
import { decidedTogether } from './decided-together.ts'
import { useEditedItems } from './edited-items.ts'
import type { CardHandlers } from './pending-card.tsx'
import { Problem } from './problem.tsx'
import { holdReceipt } from './receipt.tsx'
import { notePress } from './stray-press.ts'
import { useFocusBack } from './use-focus-back.ts'
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
  const inEditing = useEditedItems()
  const [left, setLeft] = useState<readonly string[]>([])
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({})
  /** Not approved, because they are being edited. */
  const [heldBack, setHeldBack] = useState<readonly string[]>([])
  const [sending, setSending] = useState(0)
  const group = useRef<HTMLDivElement>(null)
  useFocusBack(sending > 0, group)
  useEffect(() => setHeldBack((held) => held.filter((one) => inEditing.includes(one))), [inEditing])
  const isHeldBack = heldBack.length > 0
  useEffect(() => {
    const around = group.current
    if (!isHeldBack || !around?.parentElement) return
    const show = () => around.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
    show()
    // The cards of the others become smaller.
    const observer = new ResizeObserver(() => {
      if (around.contains(document.activeElement)) requestAnimationFrame(show)
    })
    observer.observe(around.parentElement)
    return () => observer.disconnect()
  }, [isHeldBack])
  const problemOf = (itemId: string) =>
    failures[itemId] ?? (heldBack.includes(itemId) ? labels.isBeingEdited : undefined)
  const approvals = decidedTogether(pending)
  // One that was refused is shown until it is decided, even if it is the only one left.
  if (approvals.length < 2 && approvals.every(({ itemId }) => !problemOf(itemId))) return null
  const chosen = approvals.filter(({ itemId }) => !left.includes(itemId))
  const isAll = approvals.length > 1 && chosen.length === approvals.length
  const name = (none: string, some: (count: number) => string, all: (count: number) => string) =>
    chosen.length === 0 ? none : (isAll ? all : some)(chosen.length)

  const decideAll = (decision: 'approve' | 'deny') => {
    // One that is being edited in its card must not be sent unedited.
    const edited = decision === 'approve' ? chosen.filter(({ itemId }) => inEditing.includes(itemId)) : []
    setHeldBack(edited.map(({ itemId }) => itemId))
    setFailures({})
    const sent = chosen.filter((one) => !edited.includes(one))
    // Why some were not sent is beside the button.
    if (sent[0] && edited.length === 0) holdReceipt(sent[0].itemId)
    setSending((count) => count + sent.length)
    for (const one of sent) {
      const { itemId, approvalId = itemId } = one
      onDecide(one, { decision, approvalId })
        .then(
          () => forget(placeOf(one)),
          (error) => setFailures((before) => ({ ...before, [itemId]: describeFailure(error, labels) })),
        )
        .finally(() => setSending((count) => count - 1))
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div
      ref={group}
      role="group"
      tabIndex={-1}
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
              <Problem>{problemOf(itemId)}</Problem>
            </li>
          ))}
      </ul>
      <div className="askback-actions">
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('approve')}>
          {name(labels.approve, labels.approveSome, labels.approveAll)}
        </button>
        <button type="button" disabled={chosen.length === 0} onClick={() => decideAll('deny')}>
          {name(labels.deny, labels.denySome, labels.denyAll)}
        </button>
      </div>
    </div>
  )
}
