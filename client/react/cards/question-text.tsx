import type { Pending } from '../../api/message.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { type FormField, withoutNames } from '../forms/form-fields.ts'
import { BreakingText } from '../values/breaking-text.tsx'

/**
 * A question as a heading: the question itself stands out, the rest is subdued. What has changed since it was asked before
 * comes first.
 */
export function QuestionText({
  id,
  pending: { question, asked = question, hint, reason, changedSentence },
  difference = '',
}: {
  id?: string
  /** What tells it from others that read alike. */
  difference?: string
  pending: Pick<Pending, 'question' | 'asked' | 'hint' | 'reason' | 'changedSentence'>
}) {
  return (
    <h2 id={id} dir="auto">
      {changedSentence && (
        <span className="askback-rest askback-changed" data-warns dir="auto">
          <BreakingText text={changedSentence} />{' '}
        </span>
      )}
      <span className="askback-asks">
        <BreakingText text={shorten(withoutMark(asked)) + (difference && ` (${difference})`)} />
      </span>
      {hint && (
        <span className="askback-rest" data-warns={warns(reason)} dir="auto">
          {' '}
          <BreakingText text={shorten(withoutMark(hint))} />
        </span>
      )}
    </h2>
  )
}

/** A question above the fields that answer it: their names are not said twice. */
export function besideFields<Asked extends Pick<Pending, 'hint'>>(
  { hint, ...asked }: Asked,
  fields: readonly FormField[],
): Omit<Asked, 'hint'> & Pick<Pending, 'hint'> {
  const labels = fields.map(({ label }) => label)
  return { ...asked, hint: hint === undefined ? undefined : withoutNames(hint, labels) }
}

/** What was done before, or may have been, is not overlooked. */
function warns(reason: Pending['reason']): true | undefined {
  return reason === 'repetition' || reason === 'unknown' ? true : undefined
}
