import { useEffect, useId, useRef, useState } from 'react'
import type { Pending } from '../../api/message.ts'
import { describeFailure } from '../../labels/failure.ts'
import { lookedUpNames } from '../../values/looked-up.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { Problem } from '../forms/problem.tsx'
import { placeOf, untilReload, useForget, useKept } from '../forms/use-kept.ts'
import { useOutsideFrame } from '../interaction/outside-frame.ts'
import { showBeforePress } from '../interaction/show-card.ts'
import { notePress } from '../interaction/stray-press.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { CallValues } from '../values/call-values.tsx'
import type { CardHandlers } from './card-handlers.ts'
import { decidedTogether } from './decided-together.ts'
import { useEditedItems } from './edited-items.ts'
import { focusReceipt, type Made, sayDecision, sayResult } from './receipt.tsx'
import { useUnreadPress } from './replaced-card.ts'
import { type Told, tellApart } from './told-apart.ts'

const none: readonly string[] = []
const undecided: readonly Made[] = []

/**
 * Several approvals at once: each shows its question and is decided by its own request. None is selected until the user
 * selects it. What was done already, or may have been, is decided one by one. What was decided keeps its place, and the
 * buttons are above the list, so that nothing moves to where somebody is about to press.
 */
export function SeveralApprovals({
  pending,
  decided = undecided,
  onDecide,
}: {
  /** What is open, or was just decided. */
  pending: readonly Pending[]
  /** The user's decisions: the rows of what was decided say so. */
  decided?: readonly Made[] | undefined
  onDecide: CardHandlers['onDecide']
}) {
  const labels = useLabels()
  const names = useToolNames()
  const id = useId()
  const forget = useForget()
  const inEditing = useEditedItems()
  const outside = useOutsideFrame()
  const [selected, setSelected] = useKept('selected', none, untilReload)
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({})
  /** Not approved, because they are being edited. */
  const [heldBack, setHeldBack] = useState<readonly string[]>([])
  const [sending, setSending] = useState(0)
  const group = useRef<HTMLDivElement>(null)
  useFocusBack(sending > 0, group)
  const { isUnread, stopClick, stopKey } = useUnreadPress(group)
  useEffect(() => setHeldBack((before) => before.filter((one) => inEditing.includes(one))), [inEditing])
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
  const made = new Map(decided.map((one) => [one.itemId, one]))
  const rows = decidedTogether(pending)
  const told = tellApart(rows, names)
  const approvals = rows.filter(({ itemId }) => !made.has(itemId))
  // It stays until those that were decided are gone, or one that was refused is decided.
  const isBegun = useRef(false)
  isBegun.current = approvals.length > 1 || (isBegun.current && rows.length > 1)
  if (outside || (!isBegun.current && approvals.every(({ itemId }) => !problemOf(itemId)))) return null
  const isSelected = (one: Pending) => selected.includes(placeOf(one))
  const chosen = approvals.filter(isSelected)
  const isEach = chosen.length > 0 && chosen.length === approvals.length
  const isAll = isEach && chosen.length > 1
  const select = (some: readonly Pending[], isOn: boolean) => {
    const places = some.map(placeOf)
    setSelected((before) => [...before.filter((one) => !places.includes(one)), ...(isOn ? places : none)])
  }
  const name = (none: string, some: (count: number) => string, all: (count: number) => string) =>
    chosen.length === 0 ? none : (isAll ? all : some)(chosen.length)

  const decideAll = (decision: 'approve' | 'deny', byKeyboard: boolean) => {
    // One that is being edited in its card must not be sent unedited.
    const edited = decision === 'approve' ? chosen.filter(({ itemId }) => inEditing.includes(itemId)) : []
    setHeldBack(edited.map(({ itemId }) => itemId))
    setFailures({})
    const sent = chosen.filter((one) => !edited.includes(one))
    // Why some were not sent is beside the button.
    // Below the messages, nothing moves that somebody is about to press.
    const shows = byKeyboard || group.current?.closest('.askback-docked') !== null
    if (sent[0] && edited.length === 0) focusReceipt(sent[0].itemId, shows)
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
      onClickCapture={(event) => stopClick(event) || notePress(event)}
      onKeyDownCapture={(event) => stopKey(event) || showBeforePress(event)}
    >
      <Problem>{isUnread ? labels.isUnread : undefined}</Problem>
      <h2 id={`${id}-title`}>
        {approvals.length > 0 ? labels.approvals(approvals.length) : labels.allDecided}
      </h2>
      <div className="askback-actions">
        <label>
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isEach
            }}
            checked={isEach}
            disabled={approvals.length === 0}
            onChange={({ target }) => select(approvals, target.checked)}
          />
          {labels.selectAll}
        </label>
        <button
          type="button"
          disabled={chosen.length === 0}
          onClick={({ detail }) => decideAll('approve', detail === 0)}
        >
          {name(labels.approve, labels.approveSome, labels.approveAll)}
        </button>
        <button
          type="button"
          disabled={chosen.length === 0}
          onClick={({ detail }) => decideAll('deny', detail === 0)}
        >
          {name(labels.deny, labels.denySome, labels.denyAll)}
        </button>
      </div>
      <ul>
        {rows.map((one) => (
          <Row
            key={one.itemId}
            pending={one}
            told={told.get(one.itemId)}
            made={made.get(one.itemId)}
            isSelected={isSelected(one)}
            onSelect={(isOn) => select([one], isOn)}
            problem={problemOf(one.itemId)}
          />
        ))}
      </ul>
    </div>
  )
}

/** One approval, to select; then what was decided, in the same room. */
function Row({
  pending,
  told: { asked, stated } = { asked: '', stated: '' },
  made,
  isSelected,
  onSelect,
  problem,
}: {
  pending: Pending
  told: Told | undefined
  made: Made | undefined
  isSelected: boolean
  onSelect(isOn: boolean): void
  problem: string | undefined
}) {
  const labels = useLabels()
  const { toolName, values, account, past } = pending
  const result = made?.decision === 'approve' ? sayResult(labels, made) : undefined
  return (
    <li className={made ? 'askback-row-decided' : undefined}>
      <label inert={made !== undefined}>
        <input type="checkbox" checked={isSelected} onChange={({ target }) => onSelect(target.checked)} />
        <span dir="auto">
          <BreakingText text={asked} />
        </span>
      </label>
      {made && (
        <p>
          {sayDecision(labels, made, past)} ·{' '}
          <bdi className="askback-quiet">
            <BreakingText text={result ? shorten(withoutMark(result)) : stated} />
          </bdi>
        </p>
      )}
      {values && (
        <details className="askback-kept">
          <summary aria-label={`${labels.wholeCall}: ${asked}`}>{labels.wholeCall}</summary>
          <CallValues
            toolName={toolName}
            values={values}
            sender={account ?? null}
            named={lookedUpNames(pending)}
          />
        </details>
      )}
      <Problem>{problem}</Problem>
    </li>
  )
}
