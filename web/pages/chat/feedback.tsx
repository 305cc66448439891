import { useState } from 'react'
import type { Rating } from '../../../client/api/message.ts'
import { failureSentence } from '../../failure-sentence.ts'
import { Drawing } from '../../icons.tsx'
import { badIcon, goodIcon } from '../../later-icons.ts'
import { useToast } from '../../shell/toasts.tsx'
import { chatWords } from './words.ts'

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
  const toast = useToast()
  const words = chatWords()
  const [shown, setShown] = useState<Rating | null>(rating ?? null)
  const rate = async (choice: Rating) => {
    const next = shown === choice ? null : choice
    setShown(next)
    try {
      await onRate(next)
    } catch (error) {
      setShown(shown)
      toast(failureSentence(error), 'failed')
    }
  }
  return choices.map((choice) => (
    <button
      key={choice.rating}
      type="button"
      className="plain"
      title={words[choice.rating]}
      aria-pressed={shown === choice.rating}
      onClick={() => void rate(choice.rating)}
    >
      <Drawing lines={choice.lines} />
      <span className="hidden">{words[choice.rating]}</span>
    </button>
  ))
}
