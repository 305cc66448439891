import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Labels } from '../labels/en.ts'
import { showDate } from '../locale.ts'
import type { ChatAnswer, Decided } from '../message.ts'
import { useLabels } from './use-labels.ts'

/** What the user has decided on this page. */
export interface Made extends Pick<Decided, 'itemId' | 'messageId' | 'toolCallId' | 'at'> {
  /** `late`: somebody was faster. */
  decision: Decided['decision'] | 'late'
  /** What came of it: an answer, or why there is none. Both undefined while that is on its way. */
  answer?: ChatAnswer
  outcome?: string
}

const labelOf = {
  answer: 'youAnswered',
  approve: 'youApproved',
  deny: 'youDenied',
  draft: 'youKeptDraft',
  skip: 'youSkipped',
  late: 'alreadyDecided',
} as const satisfies Record<Made['decision'], keyof Labels>

/** The item whose receipt has the keyboard, until its user moves on: it keeps it where the receipt is drawn anew. */
let held: string | undefined

/** Gives the keyboard to the receipt of an item, as soon as there is one. */
export function holdReceipt(itemId: string): void {
  held = itemId
}

/** The card that it stands for was taller: without this its receipt can be out of sight. */
function showFocused(line: HTMLElement | null): void {
  line?.focus({ preventScroll: true })
  line?.scrollIntoView({ block: 'nearest' })
}

/** What was decided and when, in one line; below it what came of it. */
export function Receipt({
  made: { itemId, decision, at },
  holds = true,
  children,
}: {
  made: Pick<Made, 'itemId' | 'decision' | 'at'>
  /** It takes over the keyboard from the card, or the receipt, that it stands for. */
  holds?: boolean
  children?: ReactNode
}) {
  const labels = useLabels()
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (held !== itemId || !holds) return
    // Whoever has gone on to something else stays there.
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('[hidden]')) showFocused(line.current)
    else held = undefined
  }, [itemId, holds])
  const moveOn = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) held = undefined
  }
  return (
    // Who decided hears it by the focus: it is not said a second time.
    <p ref={line} tabIndex={-1} className="askback-receipt" aria-live="off" onBlur={moveOn}>
      <span>
        {labels[labelOf[decision]]} · <Moment at={at} />
      </span>
      {children}
    </p>
  )
}

/** `07:05`; of another day `22 Nov, 07:05`. */
function Moment({ at }: { at: string }) {
  const { locale } = useLabels()
  const time = new Date(at)
  const isToday = time.toDateString() === new Date().toDateString()
  return <time dateTime={at}>{showDate(time, isToday ? 'time' : 'momentOfYear', locale)}</time>
}
