import '../../styles/tour.css'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { WithLink } from '../../base/with-link.tsx'
import { tourSentences, tourWords } from './tour-words.ts'

/** What the demo is best at, in three clicks. `next`: the step to take at once. */
export function Tour({
  next,
  onTake,
}: {
  next: number | undefined
  onTake(step: number, text: string): void
}) {
  const words = tourWords()
  const isTaken = useRef(false)
  useEffect(() => {
    const text = next === undefined ? undefined : tourSentences[next]
    if (next === undefined || text === undefined || isTaken.current) return
    isTaken.current = true
    onTake(next, text)
  }, [])
  return (
    <section className="tour" aria-label={words.title}>
      <h3>{words.title}</h3>
      <ol>
        {tourSentences.map((text, step) => (
          <li key={text}>
            <button type="button" onClick={() => onTake(step, text)}>
              <strong>{`${step + 1}. ${words.steps[step]?.name}`}</strong>
              <span className="quiet small">{words.steps[step]?.about}</span>
            </button>
          </li>
        ))}
      </ol>
      <p className="quiet small">{words.others}</p>
    </section>
  )
}

/** Above a conversation of the tour: what is to be seen in it, and the way to the next step. */
export function TourBar({ step, onNext }: { step: number; onNext(step: number): void }) {
  const words = tourWords()
  const next = words.steps[step + 1]
  const place = words.place(step + 1, words.steps.length)
  return (
    <aside className="tour-bar" aria-label={place}>
      <p className="small">
        <strong>{`${place}: ${words.steps[step]?.name}. `}</strong>
        {words.steps[step]?.seen}{' '}
        {!next && <WithLink words={words.end} link={(inbox) => <Link href="/inbox">{inbox}</Link>} />}
      </p>
      {next && (
        <button type="button" onClick={() => onNext(step + 1)}>
          {words.next(next.name)}
        </button>
      )}
    </aside>
  )
}
