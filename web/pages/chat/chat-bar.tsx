import { CallsOfDay } from './calls-of-day.tsx'
import { TourBar } from './tour.tsx'

/** What stands above a conversation: the step of the tour that it is, or the calls that it is one of. */
export default function ChatBar({
  id,
  step,
  onNext,
}: {
  id: string | undefined
  step: number | undefined
  onNext(step: number): void
}) {
  return step === undefined ? <CallsOfDay id={id} /> : <TourBar step={step} onNext={onNext} />
}
