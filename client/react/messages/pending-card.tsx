import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { Pending } from '../../api/message.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import type { CardHandlers } from '../cards/card-handlers.ts'
import { settingsLink } from '../cards/connect-card.tsx'
import { TakeBack } from '../cards/given-permission.tsx'
import { focusReceipt, type Made, Receipt, sayResult } from '../cards/receipt.tsx'
import { useTakesPlace, useUnreadPress } from '../cards/replaced-card.ts'
import { WithoutAskingHref } from '../cards/without-asking-link.tsx'
import { Problem } from '../forms/problem.tsx'
import { showBeforePress, useShownOnTab } from '../interaction/show-card.ts'
import { noteMove, notePress, settleCards } from '../interaction/stray-press.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { usePieces } from './pieces.tsx'

/** Characters of an answer shown in a receipt. */
const longest = 200

export type { CardHandlers }

/** The card of an open item, wherever it is shown; a receipt as soon as it is decided. */
export function PendingCard({
  pending,
  made,
  handlers,
}: {
  pending: Pending
  /** What the user has just decided about it. */
  made?: Made | undefined
  handlers: CardHandlers
}) {
  const labels = useLabels()
  const { itemId, asked = pending.question, statement = asked } = pending
  const outcome = made && sayResult(labels, made)
  const isOver = outcome !== undefined
  const place = useRef<HTMLDivElement>(null)
  useShownOnTab(place)
  // Decided elsewhere, it moves others under the pointer.
  useLayoutEffect(() => settleCards(), [made?.decision === 'late'])
  useTakesPlace(pending, made !== undefined)
  const { isUnread, stopClick, stopKey } = useUnreadPress(place)
  useEffect(noteMove, [made !== undefined, isOver])
  const holding = <Result,>(decided: Promise<Result>): Promise<Result> => {
    focusReceipt(itemId)
    return decided
  }
  return (
    <div
      ref={place}
      className="askback-pending"
      data-item={itemId}
      onClickCapture={(event) => stopClick(event) || notePress(event)}
      onKeyDownCapture={(event) => stopKey(event) || showBeforePress(event)}
    >
      <Problem>{isUnread && !made ? labels.isUnread : undefined}</Problem>
      {made && (
        <WithoutAskingHref value={handlers.withoutAskingHref}>
          <TakeBack value={handlers.onTakeBack}>
            <Receipt
              made={made}
              past={pending.past}
              about={made.decision === 'late' || made.decision === 'deny' ? statement : undefined}
            >
              <span className="askback-quiet" aria-live="polite" dir="auto">
                <BreakingText
                  text={outcome === undefined ? labels.workingOn : shorten(withoutMark(outcome), longest)}
                />
              </span>
            </Receipt>
          </TakeBack>
        </WithoutAskingHref>
      )}
      {/* The card stays until the decision is accepted, so that a refusal does not lose what was typed. */}
      {!isOver && (
        <OpenPlace itemId={itemId} isHidden={made !== undefined}>
          {pending.declinedIn !== undefined && (
            <p className="askback-quiet askback-small" dir="auto">
              {labels.declinedIn(withoutHidden(pending.declinedIn))}
            </p>
          )}
          <Card
            pending={pending}
            handlers={{
              ...handlers,
              onAnswer: (...given) => holding(handlers.onAnswer(...given)),
              onDecide: (...given) => holding(handlers.onDecide(...given)),
              onSkip: (one) => holding(handlers.onSkip(one)),
            }}
          />
        </OpenPlace>
      )}
    </div>
  )
}

/** A card's place while its item is open. If that is decided elsewhere, the receipt takes the focus from the card. */
function OpenPlace({
  itemId,
  isHidden,
  children,
}: {
  itemId: string
  isHidden: boolean
  children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const card = place.current
    return () => {
      if (card?.contains(document.activeElement)) focusReceipt(itemId)
    }
  }, [itemId])
  return (
    <div ref={place} hidden={isHidden}>
      {children}
    </div>
  )
}

function Card({ pending, handlers }: { pending: Pending; handlers: CardHandlers }) {
  const { ApprovalCard, ConnectCard, QuestionForm, ServerCard, WaitCard } = usePieces()
  const { pageOf } = handlers
  const approvalCard = (
    <ApprovalCard
      pending={pending}
      pageOf={pageOf && (() => pageOf(pending))}
      onDecide={(decision) => handlers.onDecide(pending, decision)}
    />
  )
  switch (pending.type) {
    case 'input':
      if (pending.server) {
        return (
          <ServerCard
            pending={pending}
            server={pending.server}
            onAnswer={(values) => handlers.onAnswer(pending, values)}
            onSkip={() => handlers.onSkip(pending)}
          />
        )
      }
      // One card fills in and approves.
      if (pending.approvalId !== undefined) return approvalCard
      return (
        <QuestionForm
          pending={pending}
          onAnswer={(values) => handlers.onAnswer(pending, values)}
          onSkip={() => handlers.onSkip(pending)}
        />
      )
    case 'approval':
      return approvalCard
    case 'connection':
      return (
        <ConnectCard
          pending={pending}
          settingsHref={settingsLink(pending.href, handlers.settingsHref)}
          onSkip={() => handlers.onSkip(pending)}
        />
      )
    case 'wait':
      return <WaitCard sentence={pending.question} resumeAt={pending.resumeAt ?? new Date().toISOString()} />
  }
}
