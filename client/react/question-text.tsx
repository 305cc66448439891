import type { Pending } from '../message.ts'
import { shorten, withoutMark } from '../sentence.ts'

/** A question as a heading: the question itself stands out, the rest is subdued. */
export function QuestionText({
  id,
  pending: { question, asked = question, hint },
}: {
  id?: string
  pending: Pick<Pending, 'question' | 'asked' | 'hint'>
}) {
  return (
    <h2 id={id} dir="auto">
      <span className="askback-asks">{shorten(withoutMark(asked))}</span>
      {hint && (
        <span className="askback-rest" dir="auto">
          {' '}
          {shorten(withoutMark(hint))}
        </span>
      )}
    </h2>
  )
}
