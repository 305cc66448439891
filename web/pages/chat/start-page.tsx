import { lazy, Suspense, useLayoutEffect } from 'react'
import { Link } from 'wouter'
import { useTools } from '../../base/queries.ts'
import { useSession } from '../../base/session.tsx'
import { WithLink } from '../../base/with-link.tsx'
import { slideComposer } from './slide-composer.ts'
import { demoSentences, startWords } from './start-words.ts'
import { suggestions } from './suggestions.ts'

const shown = 4
const Tour = lazy(() => import('./tour.tsx').then(({ Tour }) => ({ default: Tour })))

/**
 * The page of an empty conversation, with suggestions that work, and in the demo with a tour. `next`: a step of the tour
 * that is to be taken at once.
 */
export function StartPage({
  isDemo,
  next,
  onChoose,
  onTake,
}: {
  isDemo: boolean
  next: number | undefined
  onChoose(text: string): void
  onTake(step: number): void
}) {
  const words = startWords()
  const simulated = useSession().config.local?.simulated ?? []
  const known = new Set(useTools().map(({ name }) => name))
  const fitting = suggestions
    // The tour begins with it.
    .filter(({ name, tools }) => tools.some((tool) => known.has(tool)) && !(isDemo && name === 'mailTo'))
    .slice(0, shown)
  useLayoutEffect(() => slideComposer, [])
  return (
    <div className="start">
      <div className="start-words">
        <h2>{words.title}</h2>
        <p className="quiet">{words.note}</p>
      </div>
      {isDemo && (
        <Suspense>
          <Tour
            next={next}
            onTake={(step, text) => {
              onTake(step)
              onChoose(text)
            }}
          />
        </Suspense>
      )}
      <ul className="suggestions">
        {fitting.map(({ name, simulates }) => {
          const isSimulated = simulates !== undefined && simulated.includes(simulates)
          const text = isDemo ? demoSentences[name] : words.suggestions[name]
          return (
            <li key={name}>
              <button type="button" onClick={() => onChoose(text)}>
                <span>{text}</span>
                <span className="quiet small">
                  {isSimulated ? words.simulated[simulates] : words.about[name]}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {isDemo && (
        <p className="quiet small model-note">
          <WithLink
            words={words.demoNote}
            link={(inside) => <Link href="/settings/integrations?provider=openai">{inside}</Link>}
          />
        </p>
      )}
    </div>
  )
}
