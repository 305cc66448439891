import type { Rating } from '../../../client/api/message.ts'
import { stopLatePress } from '../../../client/react/interaction/stray-press.ts'
import { Drawing } from '../../icons.tsx'
import { againIcon, checkIcon, copyIcon, editIcon } from '../../later-icons.ts'
import { Feedback } from './feedback.tsx'
import { MessageTime } from './message-time.tsx'
import { useCopy } from './use-copy.ts'
import { chatWords } from './words.ts'

/** The actions for a complete message. */
export function MessageActions({
  id,
  text,
  isUser,
  rating,
  onEdit,
  onAgain,
  onRate,
}: {
  id: string
  text: string
  isUser: boolean
  /** The stored rating. */
  rating: Rating | undefined
  onEdit(): void
  onAgain(): void
  onRate(rating: Rating | null): Promise<unknown>
}) {
  const words = chatWords()
  const { isCopied, copy } = useCopy()
  return (
    <div className="message-actions" data-settles onClickCapture={stopLatePress}>
      {text && (
        <button type="button" className="plain" title={words.copy} onClick={() => void copy(text)}>
          <Drawing lines={isCopied ? checkIcon : copyIcon} />
          <span className="hidden">{isCopied ? words.copied : words.copy}</span>
        </button>
      )}
      {isUser ? (
        <button type="button" className="plain" title={words.edit} onClick={onEdit}>
          <Drawing lines={editIcon} />
          <span className="hidden">{words.edit}</span>
        </button>
      ) : (
        <>
          <button type="button" className="plain" title={words.againTitle} onClick={onAgain}>
            <Drawing lines={againIcon} />
            <span className="hidden">{words.again}</span>
          </button>
          <Feedback rating={rating} onRate={onRate} />
        </>
      )}
      <MessageTime id={id} />
    </div>
  )
}
