import { withoutHidden } from '../../../client/hidden-marks.ts'
import type { Pending } from '../../../client/message.ts'
import { inWords, useSecondsUntil } from '../../../client/react/wait-card.tsx'
import { shorten, withoutMark } from '../../../client/sentence.ts'

/** Characters of what is asked that stand in the line. */
const longest = 140

/** Above the composer: what is open in this conversation. A message does not answer it; its card does. */
export function OpenLine({
  item,
  others,
  isBusy,
  onShow,
  onSkip,
}: {
  item: Pending
  /** How many more are open. */
  others: number
  isBusy: boolean
  onShow(): void
  onSkip(): void
}) {
  const { type } = item
  return (
    <section aria-label="Waiting for you" className="composer-note open-line">
      {type === 'wait' ? (
        <Countdown resumeAt={item.resumeAt} />
      ) : (
        <button type="button" className="plain" onClick={onShow}>
          <span>{describe(item)}</span>
        </button>
      )}
      {others > 0 && <span className="open-others">and {others} more</span>}
      {(type === 'input' || type === 'connection') && (
        <button type="button" className="link" disabled={isBusy} onClick={onSkip}>
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

function Countdown({ resumeAt = '' }: { resumeAt: string | undefined }) {
  const left = useSecondsUntil(resumeAt)
  return <span>{left > 0 ? `Trying again in ${inWords(left)}` : 'Trying again in a moment'}</span>
}
