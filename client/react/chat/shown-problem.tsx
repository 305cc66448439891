import { closeIcon } from '../icons/composer-icons.ts'
import { Drawing } from '../icons/drawing.tsx'
import { useChatLabels } from '../labels/use-chat-labels.ts'

/** A sentence about what didn't work, until it is closed. */
export function ShownProblem({ sentence, onClose }: { sentence: string; onClose(): void }) {
  return (
    <p className="askback-shown-problem" role="alert">
      {sentence}
      <button
        type="button"
        className="askback-icon-button"
        aria-label={useChatLabels().dismiss}
        onClick={onClose}
      >
        <Drawing lines={closeIcon} />
      </button>
    </p>
  )
}
