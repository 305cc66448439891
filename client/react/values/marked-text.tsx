import { Fragment } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { TextRanges } from '../../api/message.ts'

/** A text with the search words highlighted. */
export function MarkedText({ text, ranges }: { text: string; ranges: TextRanges }) {
  const ends = [0, ...ranges.map(([, to]) => to)]
  return (
    <>
      {ranges.map(([from, to], index) => (
        <Fragment key={from}>
          {withoutHidden(text.slice(ends[index], from))}
          <mark>{withoutHidden(text.slice(from, to))}</mark>
        </Fragment>
      ))}
      {withoutHidden(text.slice(ends.at(-1)))}
    </>
  )
}
