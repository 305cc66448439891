import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { describeFailure } from '../labels/failure.ts'
import { sayPending } from '../labels/say.ts'
import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'
import { decidedTogether } from './decided-together.ts'
import { useEditedItems } from './edited-items.ts'
import type { CardHandlers } from './pending-card.tsx'
import { Problem } from './problem.tsx'
import { holdReceipt, type Made, sayDecision } from './receipt.tsx'
import { showBeforePress } from './show-card.ts'
import { notePress } from './stray-press.ts'
import { useFocusBack } from './use-focus-back.ts'
import { placeOf, useForget, useKept } from './use-kept.ts'
import { useLabels } from './use-labels.ts'

const none: readonly string[] = []
const undecided: readonly Made[] = []
/** How many that were left out are remembered: some are decided elsewhere and stay in the list. */
const mostLeft = 100

/**
 * Several approvals at once: each shows its question and is decided by its own request; approve all or only the selected
 * ones. What was done already, or may have been, is decided one by one. What was decided keeps its place, and the buttons
 * are above the list, so that nothing moves to where somebody is about to press.
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
  const id = useId()
  const forget = useForget()
  const inEditing = useEditedItems()
  const [left, setLeft] = useKept('left out', none)
  /** Came after its user had chosen some, and was not chosen since. */
  const [late, setLate] = useState(none)
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
  const made = new Map(decided.map((one) => [one.itemId, one]))
  const rows = decidedTogether(pending)
  const approvals = rows.filter(({ itemId }) => !made.has(itemId))
  const ids = approvals.map(placeOf)
  const known = useRef(ids)
  useLayoutEffect(() => {
    const fresh = ids.filter((place) => !known.current.includes(place))
    // Whoever has chosen some has not chosen what came later.
    if (fresh.length > 0 && known.current.some((place) => left.includes(place)))
      setLate((before) => [...before, ...fresh])
    known.current = [...known.current, ...fresh]
  }, [ids.join()])
  // It stays until those that were decided are gone, or one that was refused is decided.
  const isBegun = useRef(false)
  isBegun.current = approvals.length > 1 || (isBegun.current && rows.length > 1)
  if (!isBegun.current && approvals.every(({ itemId }) => !problemOf(itemId))) return null
  const isLeft = (one: Pending) => [...left, ...late].includes(placeOf(one))
  const chosen = approvals.filter((one) => !isLeft(one))
  const isAll = approvals.length > 1 && chosen.length === approvals.length
  const name = (none: string, some: (count: number) => string, all: (count: number) => string) =>
    chosen.length === 0 ? none : (isAll ? all : some)(chosen.length)

  const decideAll = (decision: 'approve' | 'deny', byKeyboard: boolean) => {
    // One that is being edited in its card must not be sent unedited.
    const edited = decision === 'approve' ? chosen.filter(({ itemId }) => inEditing.includes(itemId)) : []
    setHeldBack(edited.map(({ itemId }) => itemId))
    setFailures({})
    const sent = chosen.filter((one) => !edited.includes(one))
    // Why some were not sent is beside the button.
    if (sent[0] && edited.length === 0) holdReceipt(sent[0].itemId, byKeyboard)
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
      onKeyDown={showBeforePress}
    >
      <h2 id={`${id}-title`}>
        {approvals.length > 0 ? labels.approvals(approvals.length) : labels.allDecided}
      </h2>
      <div className="askback-actions">
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
        {rows
          .map((one) => sayPending(labels, one))
          .map((one) => (
            <Row
              key={one.itemId}
              about={shorten(withoutMark(one.confirm ?? one.asked ?? one.question))}
              decision={made.get(one.itemId)?.decision}
              isChosen={!isLeft(one)}
              onChoose={(isChosen) => {
                const isOther = (place: string) => place !== placeOf(one)
                setLate((before) => before.filter(isOther))
                setLeft((before) => {
                  const others = before.filter(isOther)
                  return isChosen ? others : [...others, placeOf(one)].slice(-mostLeft)
                })
              }}
              problem={problemOf(one.itemId)}
            />
          ))}
      </ul>
    </div>
  )
}

/** One approval, to choose or leave out; then what was decided, in the same room. */
function Row({
  about,
  decision,
  isChosen,
  onChoose,
  problem,
}: {
  about: string
  decision: Made['decision'] | undefined
  isChosen: boolean
  onChoose(isChosen: boolean): void
  problem: string | undefined
}) {
  const labels = useLabels()
  const isDecided = decision !== undefined
  return (
    <li className={isDecided ? 'askback-row-decided' : undefined}>
      <label inert={isDecided}>
        <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
        <span dir="auto">{about}</span>
      </label>
      {isDecided && (
        <p>
          {sayDecision(labels, decision)} · <bdi className="askback-quiet">{about}</bdi>
        </p>
      )}
      <Problem>{problem}</Problem>
    </li>
  )
}
