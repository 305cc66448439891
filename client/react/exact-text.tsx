import { markHidden, mixesAlphabets } from '../hidden-marks.ts'

/** A text as it will be sent: what cannot be seen in it is shown, and it does not turn what stands around it. */
export function ExactText({ text }: { text: string }) {
  return (
    <bdi>
      {markHidden(text).map((stretch, index) =>
        'mark' in stretch ? (
          <mark key={index} className="askback-mark">
            {stretch.mark}
          </mark>
        ) : (
          stretch.text
        ),
      )}
      {mixesAlphabets(text) && <mark className="askback-mark">mixed alphabets</mark>}
    </bdi>
  )
}
