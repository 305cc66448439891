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
  const { type, asked = item.question } = item
  return (
    <section aria-label="Waiting for you" className="composer-note open-line">
      {type === 'wait' ? (
        <Countdown resumeAt={item.resumeAt} />
      ) : (
        <button type="button" className="plain" onClick={onShow}>
          <span>
            {beginning[type]} {shorten(withoutMark(asked), longest)}
          </span>
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

const beginning = {
  input: 'Answering:',
  approval: 'Waiting for your approval:',
  connection: 'Waiting for a connection:',
}

function Countdown({ resumeAt = '' }: { resumeAt: string | undefined }) {
  const left = useSecondsUntil(resumeAt)
  return <span>{left > 0 ? `Trying again in ${inWords(left)}` : 'Trying again in a moment'}</span>
}
