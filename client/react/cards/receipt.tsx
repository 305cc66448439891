import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { showDate } from '../../../shared/words/locale.ts'
import type { ChatAnswer, Decided } from '../../api/message.ts'
import type { AskbackError } from '../../askback-error.ts'
import type { Labels } from '../../labels/en.ts'
import { describeFailure } from '../../labels/failure.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { useLabels } from '../labels/use-labels.ts'

/** What the user decided on this page. */
export interface Made extends Pick<Decided, 'itemId' | 'messageId' | 'toolCallId' | 'at' | 'remember'> {
  /** `late`: it was decided elsewhere before. */
  decision: Decided['decision'] | 'late'
  /** The result: an answer, why there is none, or a sentence. All are undefined until it arrives. */
  answer?: ChatAnswer
  refusal?: AskbackError
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

/** What was decided, in two words. */
export function sayDecision(labels: Labels, decision: Made['decision']): string {
  return labels[labelOf[decision]]
}

/** What came of it, in a sentence; undefined until it is known. */
export function sayResult(labels: Labels, made: Made): string | undefined {
  const { answer, refusal, outcome, toolCallId } = made
  if (answer) return outcomeIn(answer, toolCallId)
  return refusal ? describeFailure(refusal, labels) : outcome
}

/** The result of a call: its summary, or what was said about it. A follow-up question has its own card. */
function outcomeIn({ text, toolsUsed = [], pending = [] }: ChatAnswer, toolCallId: string): string {
  const summary = toolsUsed.find((use) => use.toolCallId === toolCallId)?.summary
  return summary ?? (pending.length > 0 ? '' : text)
}

/** The item whose receipt has the focus, so that it keeps the focus when it is rendered again. */
let awaited: string | undefined
/** What was pressed to decide: it may stay on the page. */
let pressed: Element | null = null
/** Whether it is brought into sight. */
let isShown = true

/** Focuses the receipt of an item as soon as it is rendered, and brings it into sight. */
export function focusReceipt(itemId: string, shows = true): void {
  awaited = itemId
  isShown = shows
  pressed = document.activeElement
}

/** The card was taller: without scrolling, its receipt can be out of sight. */
function showFocused(line: HTMLElement | null): void {
  line?.focus({ preventScroll: true })
  if (isShown) line?.scrollIntoView({ block: 'nearest' })
}

/** What was decided and when, in one line; the result below. */
export function Receipt({
  made: { itemId, decision, at, remember },
  about,
  holds = true,
  children,
}: {
  made: Pick<Made, 'itemId' | 'decision' | 'at' | 'remember'>
  /** What was asked, where the result does not name it. */
  about?: string | undefined
  /** It takes over the focus from the card or receipt it replaces. */
  holds?: boolean
  children?: ReactNode
}) {
  const labels = useLabels()
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (awaited !== itemId || !holds) return
    // Leave the focus of users who have moved on.
    const active = document.activeElement
    const isLeft = active === null || active === document.body || active === pressed
    if (isLeft || active.closest('[hidden]')) showFocused(line.current)
    else awaited = undefined
  }, [itemId, holds])
  const moveOn = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) awaited = undefined
  }
  return (
    <p ref={line} tabIndex={-1} className="askback-receipt" data-receipt={itemId} onBlur={moveOn}>
      <span>
        {sayDecision(labels, decision)} · <Moment at={at} />
        {remember && ` · ${labels.youAllowed(remember)}`}
        {about && (
          <>
            {' · '}
            <bdi>{shorten(withoutMark(about))}</bdi>
          </>
        )}
      </span>
      {children}
    </p>
  )
}

/** `07:05`; on another day `22 Nov, 07:05`. */
function Moment({ at }: { at: string }) {
  const { locale } = useLabels()
  const time = new Date(at)
  const isToday = time.toDateString() === new Date().toDateString()
  return <time dateTime={at}>{showDate(time, isToday ? 'time' : 'momentOfYear', locale)}</time>
}
