import { labelOf, showValue } from '../sentence.ts'
import { readFound } from './found-items.ts'

/** What came out of a call: what was found as a list with its sources, plain values by name, everything else as it is. */
export function CallOutput({ output }: { output: unknown }) {
  const found = readFound(output)
  if (found !== undefined) return <FoundList found={found} />
  const values = readValues(output)
  if (values !== undefined) {
    return (
      <dl className="askback-values">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{showValue(value)}</dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className="askback-output" tabIndex={0}>
      {typeof output === 'string' ? output : JSON.stringify(output, null, 2)}
    </pre>
  )
}

function FoundList({ found }: { found: NonNullable<ReturnType<typeof readFound>> }) {
  if (found.length === 0) return <p className="askback-quiet">Nothing was found.</p>
  return (
    <ol className="askback-found">
      {found.map(({ title, url, text }, index) => (
        <li key={index}>
          {url ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
          ) : (
            <strong>{title}</strong>
          )}
          {text && <p className="askback-quiet">{text}</p>}
        </li>
      ))}
    </ol>
  )
}

/** The values of an object that has nothing nested in it; empty ones say nothing. */
function readValues(output: unknown): [string, unknown][] | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined
  const entries = Object.entries(output).filter(([, value]) => showValue(value) !== '–')
  const isPlain = (value: unknown) => typeof value !== 'object'
  return entries.length > 0 && entries.every(([, value]) => [value].flat().every(isPlain))
    ? entries
    : undefined
}
