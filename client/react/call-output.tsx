import { jsonText } from '../json-text.ts'
import { readFound } from './found-items.ts'
import { OutsideLink } from './outside-link.tsx'

/** What came out of a call: what was found as a list with its sources, everything else as it is. */
export function CallOutput({ output }: { output: unknown }) {
  const found = readFound(output)
  if (found === undefined) {
    return <pre className="askback-output">{typeof output === 'string' ? output : jsonText(output)}</pre>
  }
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
