import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { showDate, showMomentOfYear } from '../../../shared/words/locale.ts'
import type { ChatAnswer, Decided } from '../../api/message.ts'
import type { AskbackError } from '../../askback-error.ts'
import type { Labels } from '../../labels/en.ts'
import { describeFailure } from '../../labels/failure.ts'
import { capitalise } from '../../values/capitalise.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { GivenPermission } from './given-permission.tsx'

/** What the user decided on this page. */
export interface Made
  extends Pick<
    Decided,
    'itemId' | 'messageId' | 'toolCallId' | 'at' | 'reason' | 'remember' | 'permission' | 'by' | 'approvedBy'
  > {
  /** `late`: it was decided elsewhere before. */
  decision: Decided['decision'] | 'late'
  /** How, if that is known. */
  before?: Decided['decision']
  /** The result: an answer, why there is none, or a sentence. All are undefined until it arrives. */
  answer?: ChatAnswer
  refusal?: AskbackError
  outcome?: string
}

const labelOf = {
  answer: 'youAnswered',
  approve: 'youApproved',
  draft: 'youKeptDraft',
  skip: 'youSkipped',
} as const satisfies Record<Exclude<Made['decision'], 'deny' | 'late'>, keyof Labels>

/** What was decided, in two words. `past`: what the call would be then. */
export function sayDecision(
  labels: Labels,
  { decision, before, by, approvedBy }: Pick<Made, 'decision' | 'before' | 'by' | 'approvedBy'>,
  past?: string,
): string {
  const who = sayWho(labels, { by, approvedBy })
  if (who !== undefined)
    return labels.openItem.decidedBy(capitalise(labels.openItem.how[decision] ?? decision), who)
  if (decision === 'deny') return labels.youDenied(past)
  return decision === 'late' ? labels.alreadyDecided[before ?? 'late'] : labels[labelOf[decision]]
}

/** Who decided, if not the user alone did, in an app. */
export function sayWho(
  labels: Labels,
  { by, approvedBy }: Pick<Made, 'by' | 'approvedBy'>,
): string | undefined {
  if (approvedBy) {
    const names = approvedBy.map(({ name, group }) => (group === undefined ? name : `${name} (${group})`))
    return new Intl.ListFormat(labels.locale, { type: 'conjunction' }).format(names)
  }
  if (by?.door === 'approver' || by?.door === 'client') return by.name
  return by?.door === 'link' ? (by.name ?? labels.openItem.aLink) : undefined
}

/** What came of it, in a sentence; undefined until it is known. */
export function sayResult(labels: Labels, made: Made): string | undefined {
  const { answer, refusal, outcome, toolCallId, before } = made
  // It says itself how it was decided.
  if (before !== undefined && refusal?.code === 'already_decided') return ''
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
  made,
  past,
  about,
  result,
  holds = true,
  children,
}: {
  made: Pick<
    Made,
    'itemId' | 'decision' | 'before' | 'at' | 'reason' | 'remember' | 'permission' | 'by' | 'approvedBy'
  >
  /** What the call would be, if that was not denied: `sent`. */
  past?: string | undefined
  /** What was asked, where the result does not name it. */
  about?: string | undefined
  /** What came of it, if it was decided about again. */
  result?: string | undefined
  /** It takes over the focus from the card or receipt it replaces. */
  holds?: boolean
  children?: ReactNode
}) {
  const { itemId, at, reason, remember, permission } = made
  const labels = useLabels()
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (awaited !== itemId || !holds) return
    // Leave the focus of users who have moved on.
    const active = document.activeElement
    // Strict mode asks twice.
    if (active === line.current) return
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
        {sayDecision(labels, made, past)} · <Moment at={at} />
        {reason && (
          <>
            {' · '}
            <bdi>{labels.asked(shorten(reason))}</bdi>
          </>
        )}
        {result && <BreakingText text={` · ${result}`} />}
        {remember && <GivenPermission remember={remember} permission={permission} />}
        {about && (
          <>
            {' · '}
            <bdi>
              <BreakingText text={shorten(withoutMark(about))} />
            </bdi>
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
  return (
    <time dateTime={at}>{isToday ? showDate(time, 'time', locale) : showMomentOfYear(time, locale)}</time>
  )
}
