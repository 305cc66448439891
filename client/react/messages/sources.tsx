import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import { useLabels } from '../labels/use-labels.ts'
import type { Source } from './message-blocks.ts'

/** Sources shown before somebody asks for all of them. */
const shownAtFirst = 4

/** The numbered sources of an answer: each opens in a new tab, and nothing is loaded before. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  const labels = useLabels()
  const rest = sources.slice(shownAtFirst)
  return (
    <section className="askback-sources" aria-label={labels.sources}>
      <SourceList sources={sources.slice(0, shownAtFirst)} />
      {rest.length > 0 && (
        <details>
          <summary>{labels.moreSources(rest.length)}</summary>
          <SourceList sources={rest} from={shownAtFirst} />
        </details>
      )}
    </section>
  )
}

function SourceList({ sources, from = 0 }: { sources: readonly Source[]; from?: number }) {
  return (
    <ol start={from + 1}>
      {sources.map(({ id, title, url }, index) => (
        <li key={id}>
          <SourceChip number={from + index + 1} title={title} url={url} />
        </li>
      ))}
    </ol>
  )
}

function SourceChip({ number, title, url }: { number: number; title: string; url: string | undefined }) {
  const inside = (
    <>
      <span className="askback-source-number">{number}</span>
      <span className="askback-source-title" dir="auto">
        {withoutHidden(title)}
      </span>
      {url && <span className="askback-quiet">{hostOf(url)}</span>}
    </>
  )
  if (url === undefined) return <span className="askback-source">{inside}</span>
  return (
    <a className="askback-source" href={url} title={url} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : ''
}
