import { useLayoutEffect } from 'react'
import { Link } from 'wouter'
import { useTools } from '../../queries.ts'
import { suggestions } from '../../suggestions.ts'
import { WithLink } from '../../with-link.tsx'
import { slideComposer } from './slide-composer.ts'
import { demoSentences, startWords } from './start-words.ts'

const shown = 4

/** The page of an empty conversation, with suggestions that work. */
export function StartPage({ isDemo, onChoose }: { isDemo: boolean; onChoose(text: string): void }) {
  const words = startWords()
  const known = new Set(useTools().map(({ name }) => name))
  const fitting = suggestions.filter(({ tools }) => tools.some((name) => known.has(name))).slice(0, shown)
  useLayoutEffect(() => slideComposer, [])
  return (
    <div className="start">
      <div className="start-words">
        <h2>{words.title}</h2>
        <p className="quiet">{words.note}</p>
      </div>
      <ul className="suggestions">
        {fitting.map(({ name }) => {
          const text = isDemo ? demoSentences[name] : words.suggestions[name]
          return (
            <li key={name}>
              <button type="button" onClick={() => onChoose(text)}>
                <span>{text}</span>
                <span className="quiet small">{words.about[name]}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {isDemo && (
        <p className="quiet small model-note">
          <WithLink
            words={words.demoNote}
            link={(inside) => <Link href="/settings/integrations">{inside}</Link>}
          />
        </p>
      )}
    </div>
  )
}
