import { useState } from 'react'
import type { Rating } from '../../api/message.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Drawing } from '../icons/drawing.tsx'
import { badIcon, goodIcon } from '../icons/later-icons.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useTell } from './tell.ts'

const choices = [
  { rating: 'good', lines: goodIcon },
  { rating: 'bad', lines: badIcon },
] as const

/** Rates an answer. Pressing a rating again removes it. */
export function Feedback({
  rating,
  onRate,
}: {
  rating: Rating | undefined
  onRate(rating: Rating | null): Promise<unknown>
}) {
  const tell = useTell()
  const labels = useLabels()
  const words = useChatLabels()
  const [shown, setShown] = useState<Rating | null>(rating ?? null)
  const rate = async (choice: Rating) => {
    const next = shown === choice ? null : choice
    setShown(next)
    try {
      await onRate(next)
    } catch (error) {
      setShown(shown)
      tell(describeFailure(error, labels))
    }
  }
  return choices.map((choice) => (
    <button
      key={choice.rating}
      type="button"
      className="askback-icon-button"
      title={words[choice.rating]}
      aria-label={words[choice.rating]}
      aria-pressed={shown === choice.rating}
      onClick={() => void rate(choice.rating)}
    >
      <Drawing lines={choice.lines} />
    </button>
  ))
}
