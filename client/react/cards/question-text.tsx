import type { Pending } from '../../api/message.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'

/**
 * A question as a heading: the question itself stands out, the rest is subdued. What has changed since it was asked before
 * comes first.
 */
export function QuestionText({
  id,
  pending: { question, asked = question, hint, reason, changedSentence },
}: {
  id?: string
  pending: Pick<Pending, 'question' | 'asked' | 'hint' | 'reason' | 'changedSentence'>
}) {
  return (
    <h2 id={id} dir="auto">
      {changedSentence && (
        <span className="askback-rest askback-changed" data-warns dir="auto">
          {changedSentence}{' '}
        </span>
      )}
      <span className="askback-asks">{shorten(withoutMark(asked))}</span>
      {hint && (
        <span className="askback-rest" data-warns={warns(reason)} dir="auto">
          {' '}
          {shorten(withoutMark(hint))}
        </span>
      )}
    </h2>
  )
}

/** What was done before, or may have been, is not overlooked. */
function warns(reason: Pending['reason']): true | undefined {
  return reason === 'repetition' || reason === 'unknown' ? true : undefined
}
