import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'

/** A question as a heading: the question itself stands out, the rest is subdued. */
export function QuestionText({
  id,
  pending: { question, asked = question, hint, reason },
}: {
  id?: string
  pending: Pick<Pending, 'question' | 'asked' | 'hint' | 'reason'>
}) {
  return (
    <h2 id={id} dir="auto">
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
