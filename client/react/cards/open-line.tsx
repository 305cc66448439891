import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { Decided, Pending } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { describeFailure } from '../../labels/failure.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { showCard } from '../interaction/show-card.ts'
import { leadFocus } from '../interaction/stray-key.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useEditedItems } from './edited-items.ts'
import { showSeconds, useSecondsUntil } from './wait-card.tsx'

/** Characters of the question shown in the line. */
const longest = 140

/** Above the composer: what is open in this conversation. Only its card answers it, not a message. */
export function OpenLine({
  pending,
  decided,
  isBusy,
  onShow,
  onSkip,
  onProblem,
}: {
  pending: readonly Pending[]
  decided: readonly Pick<Decided, 'itemId'>[]
  isBusy: boolean
  /** Shows its card somewhere other than the message list; returns whether it did. */
  onShow?: (item: Pending) => boolean
  onSkip(item: Pending): Promise<unknown>
  /** Called with a sentence if it could not be skipped. */
  onProblem(sentence: string): void
}) {
  const labels = useLabels()
  const edited = useEditedItems()
  const open = pending.filter(
    ({ itemId, declinedIn }) => declinedIn === undefined && decided.every((one) => one.itemId !== itemId),
  )
  // Waiting for the clock needs nobody.
  const item = open.find(({ type }) => type !== 'wait') ?? open[0]
  if (!item) return null
  const { itemId, type, resumeAt = '', approvers } = item
  const waits = approvers?.canApprove === false ? approvers.sentence : labels.waitingForYou
  return (
    <section aria-label={waits} className="askback-note askback-open-line">
      {type === 'wait' ? (
        <Countdown resumeAt={resumeAt} />
      ) : (
        <button type="button" onClick={() => onShow?.(item) || goToCard(itemId)}>
          <span dir="auto">{describe(item, labels, edited.includes(itemId))}</span>
        </button>
      )}
      {open.length > 1 && <span>{labels.andMore(open.length - 1)}</span>}
      {/* What can be approved is denied on its card. No Tab stop: the keyboard comes up from the message to the question, and skips it on its card. */}
      {((type === 'input' && !item.approvalId) || type === 'connection') && (
        <button
          type="button"
          tabIndex={-1}
          className="askback-link"
          disabled={isBusy}
          onClick={() => onSkip(item).catch((error) => onProblem(describeFailure(error, labels)))}
        >
          {labels.skip}
        </button>
      )}
    </section>
  )
}

function describe(
  { type, title, question, asked = question, codeValues, approvers }: Pending,
  { answering, waitingForApproval, waitingForGroup, waitingForConnection, waitingToConnect }: Labels,
  isEdited: boolean,
): string {
  const provider = codeValues?.provider
  if (type === 'connection' && typeof provider === 'string') return waitingToConnect(withoutHidden(provider))
  const about = shorten(withoutMark(asked), longest)
  if (type === 'input') return answering(about)
  // Its user is changing what was asked.
  if (isEdited) return waitingForApproval(withoutHidden(title))
  if (approvers?.canApprove === false) return waitingForGroup(withoutHidden(approvers.group), about)
  return type === 'approval' ? waitingForApproval(about) : waitingForConnection(about)
}

function Countdown({ resumeAt }: { resumeAt: string }) {
  const labels = useLabels()
  const left = useSecondsUntil(resumeAt)
  return <span>{left > 0 ? labels.tryingAgainIn(showSeconds(left, labels)) : labels.tryingAgainSoon}</span>
}

/** Scrolls a card into view and focuses it. */
function goToCard(itemId: string): void {
  const card = document.querySelector(`[data-item="${CSS.escape(itemId)}"]`)
  if (!card) return
  showCard(card)
  const fields = 'input, select, textarea, .askback-chips button'
  const missing = card.querySelector('[data-asks]')?.querySelector<HTMLElement>(fields)
  const place = missing ?? card.querySelector<HTMLElement>(`${fields}, [tabindex="-1"]`)
  leadFocus(place, { preventScroll: true })
}
