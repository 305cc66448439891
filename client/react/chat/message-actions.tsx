import type { Rating } from '../../api/message.ts'
import { Drawing } from '../icons/drawing.tsx'
import { againIcon, checkIcon, copyIcon, editIcon } from '../icons/later-icons.ts'
import { stopLatePress } from '../interaction/stray-press.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { Feedback } from './feedback.tsx'
import { MessageTime } from './message-time.tsx'
import { useCopy } from './use-copy.ts'
import { useIsFormer, VersionPicker } from './versions.tsx'

/** The actions for a complete message. */
export function MessageActions({
  id,
  text,
  isUser,
  isFailed,
  rating,
  onEdit,
  onAgain,
  onRate,
}: {
  id: string
  text: string
  isUser: boolean
  /** It ends with something that did not work: another try is offered in words. */
  isFailed: boolean
  /** The stored rating. */
  rating: Rating | undefined
  onEdit(): void
  onAgain(): void
  onRate(rating: Rating | null): Promise<unknown>
}) {
  const labels = useChatLabels()
  const { isCopied, copy } = useCopy()
  const isFormer = useIsFormer(id)
  return (
    <div className="askback-message-actions" data-settles onClickCapture={stopLatePress}>
      {text && (
        <button
          type="button"
          className="askback-icon-button"
          title={labels.copy}
          aria-label={isCopied ? labels.copied : labels.copy}
          onClick={() => void copy(text)}
        >
          <Drawing lines={isCopied ? checkIcon : copyIcon} />
        </button>
      )}
      {isUser ? (
        <button
          type="button"
          className="askback-icon-button"
          title={labels.edit}
          aria-label={labels.edit}
          onClick={onEdit}
        >
          <Drawing lines={editIcon} />
        </button>
      ) : (
        <VersionPicker id={id}>
          <button
            type="button"
            className="askback-icon-button"
            title={labels.againTitle}
            aria-label={isFailed ? undefined : labels.again}
            onClick={onAgain}
          >
            <Drawing lines={againIcon} />
            {isFailed && <span>{labels.tryAgain}</span>}
          </button>
          <Feedback rating={rating} onRate={onRate} />
        </VersionPicker>
      )}
      {!isFormer && <MessageTime id={id} />}
    </div>
  )
}
