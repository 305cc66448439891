import { withoutHidden } from '../hidden-marks.ts'
import type { Decided, Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'
import { inWords, useSecondsUntil } from './wait-card.tsx'

/** Characters of what is asked that stand in the line. */
const longest = 140

/** Above the composer: what is open in this conversation. A message does not answer it; its card does. */
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
  /** Shows its card somewhere else than in the list of messages; returns whether it did. */
  onShow?: (item: Pending) => boolean
  onSkip(item: Pending): Promise<unknown>
  /** A sentence on what could not be skipped. */
  onProblem(sentence: string): void
}) {
  const open = pending.filter(({ itemId }) => decided.every((one) => one.itemId !== itemId))
  // The clock needs nobody.
  const item = open.find(({ type }) => type !== 'wait') ?? open[0]
  if (!item) return null
  const { itemId, type, resumeAt = '' } = item
  return (
    <section aria-label="Waiting for you" className="askback-note askback-open-line">
      {type === 'wait' ? (
        <Countdown resumeAt={resumeAt} />
      ) : (
        <button type="button" onClick={() => onShow?.(item) || showCard(itemId)}>
          <span>{describe(item)}</span>
        </button>
      )}
      {open.length > 1 && <span>and {open.length - 1} more</span>}
      {(type === 'input' || type === 'connection') && (
        <button
          type="button"
          className="askback-link"
          disabled={isBusy}
          onClick={() => onSkip(item).catch(({ message }: Error) => onProblem(message))}
        >
          Skip
        </button>
      )}
    </section>
  )
}

function describe({ type, question, asked = question, codeValues }: Pending): string {
  const provider = codeValues?.provider
  if (type === 'connection' && typeof provider === 'string')
    return `Waiting for you to connect ${withoutHidden(provider)}`
  const about = shorten(withoutMark(asked), longest)
  if (type === 'input') return `Answering: ${about}`
  return `${type === 'approval' ? 'Waiting for your approval' : 'Waiting for a connection'}: ${about}`
}

function Countdown({ resumeAt }: { resumeAt: string }) {
  const left = useSecondsUntil(resumeAt)
  return <span>{left > 0 ? `Trying again in ${inWords(left)}` : 'Trying again in a moment'}</span>
}

/** Brings a card into view, with the keyboard. */
function showCard(itemId: string): void {
  const card = document.querySelector(`[data-item="${CSS.escape(itemId)}"]`)
  card?.scrollIntoView({ block: 'nearest' })
  card?.querySelector<HTMLElement>('input, select, textarea, [tabindex="-1"]')?.focus({ preventScroll: true })
}
