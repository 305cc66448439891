import { memo, useMemo, useState } from 'react'
import { useLabels } from '../labels/use-labels.ts'

/** Characters shown at first, and added with each step. */
const firstLength = 4000
const stepLength = 20_000
/** A step may end at a line break within this many characters of its end. */
const lineRoom = 2000

/** Shows a text in steps, so that a long one costs only as much as is shown. */
export function LongText({
  read,
}: {
  /** Yields the text in pieces from its beginning; keep it the same function for the same text. */
  read: () => Iterable<string>
}) {
  const [steps, setSteps] = useState(0)
  const { parts, isCut } = useMemo(() => readParts(read(), steps), [read, steps])
  return (
    <>
      {parts.map((part, index) => (
        <Part key={index} text={part} />
      ))}
      {isCut && <MoreButton onMore={() => setSteps(steps + 1)} />}
    </>
  )
}

/** Memoised: parts that are already shown are not laid out again. */
const Part = memo(function Part({ text }: { text: string }) {
  return <span className="askback-part">{text}</span>
})

/** Shows the next step of something long. */
export function MoreButton({ onMore }: { onMore(): void }) {
  const labels = useLabels()
  return (
    <button type="button" className="askback-more" onClick={onMore}>
      {labels.showMore}
    </button>
  )
}

/** One part per step, and whether there is more. */
function readParts(pieces: Iterable<string>, steps: number): { parts: string[]; isCut: boolean } {
  const parts: string[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    for (;;) {
      const most = parts.length === 0 ? firstLength : stepLength
      if (text.length <= most) break
      const end = findEnd(text, most)
      parts.push(text.slice(0, end))
      if (parts.length > steps) return { parts, isCut: true }
      text = text.slice(end)
    }
  }
  return { parts: text === '' ? parts : [...parts, text], isCut: false }
}

/** Ends after a line break if there is one nearby, and never inside a character. */
function findEnd(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > most - lineRoom) return line
  const last = text.charCodeAt(most - 1)
  return last >= 0xd800 && last < 0xdc00 ? most + 1 : most
}
