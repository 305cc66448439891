import { jsonText } from '../json-text.ts'
import { isPlain, labelOf, showValue } from '../sentence.ts'
import { readFound } from './found-items.ts'
import { OutsideLink } from './outside-link.tsx'

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
      {typeof output === 'string' ? output : jsonText(output)}
    </pre>
  )
}

function FoundList({ found }: { found: NonNullable<ReturnType<typeof readFound>> }) {
  if (found.length === 0) return <p className="askback-quiet">Nothing was found.</p>
  return (
    <ol className="askback-found">
      {found.map(({ title, url, text }, index) => (
        <li key={index}>
          {url ? <OutsideLink href={url}>{title}</OutsideLink> : <strong>{title}</strong>}
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
  return entries.length > 0 && entries.every(([, value]) => [value].flat().every(isPlain))
    ? entries
    : undefined
}
