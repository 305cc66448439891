import { useLayoutEffect } from 'react'
import { Link } from 'wouter'
import { useTools } from '../../queries.ts'
import { suggestions } from '../../suggestions.ts'
import { slideComposer } from './slide-composer.ts'

const shown = 4

/** What stands where nothing has been said yet: sentences that work. */
export function StartPage({ isDemo, onChoose }: { isDemo: boolean; onChoose(text: string): void }) {
  const known = new Set(useTools().map(({ name }) => name))
  const fitting = suggestions.filter(({ tools }) => tools.some((name) => known.has(name))).slice(0, shown)
  useLayoutEffect(() => slideComposer, [])
  return (
    <div className="start">
      <div className="start-words">
        <h2>What can I do for you?</h2>
        <p className="quiet">I ask when something is missing, and show you what I corrected.</p>
      </div>
      <ul className="suggestions">
        {fitting.map(({ text, about }) => (
          <li key={text}>
            <button type="button" onClick={() => onChoose(text)}>
              <span>{text}</span>
              <span className="quiet small">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {isDemo && (
        <p className="quiet small model-note">
          The demo model answers: a few rules, no language model.{' '}
          <Link href="/settings/integrations">Add a key</Link> for a real one.
        </p>
      )}
    </div>
  )
}
