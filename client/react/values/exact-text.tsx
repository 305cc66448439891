import { markHidden, mixesAlphabets } from '../../../shared/words/hidden-marks.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from './breaking-text.tsx'

/** A text exactly as it will be sent: invisible characters are shown, and it cannot change the direction of text around it. */
export function ExactText({ text }: { text: string }) {
  const labels = useLabels()
  return (
    <bdi>
      {markHidden(text).map((stretch, index) =>
        'mark' in stretch ? (
          <mark key={index} className="askback-mark">
            {stretch.mark === 'turns' ? labels.directionReversed : labels.invisibleCharacter}
          </mark>
        ) : (
          <BreakingText key={index} text={stretch.text} />
        ),
      )}
      {mixesAlphabets(text) && <mark className="askback-mark">{labels.mixedAlphabets}</mark>}
    </bdi>
  )
}
