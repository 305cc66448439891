import { memo, useMemo, useState } from 'react'
import { useLabels } from './use-labels.ts'

/** Characters that are shown at first, and with each step. */
const firstLength = 4000
const stepLength = 20_000
/** Characters before the end of a step in which a line may end it. */
const lineRoom = 2000

/** A text in steps: a long one costs no more than what of it is looked at. */
export function LongText({
  read,
}: {
  /** The text in pieces from its beginning; the same function for the same text. */
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

/** Laid out by itself: what was shown before is not laid out again. */
const Part = memo(function Part({ text }: { text: string }) {
  return <span className="askback-part">{text}</span>
})

/** Asks for the next step of something long. */
export function MoreButton({ onMore }: { onMore(): void }) {
  const labels = useLabels()
  return (
    <button type="button" className="askback-more" onClick={onMore}>
      {labels.showMore}
    </button>
  )
}

/** A part for each step, and whether more follows. */
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

/** After a line where one ends in time, and never within a character. */
function findEnd(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > most - lineRoom) return line
  const last = text.charCodeAt(most - 1)
  return last >= 0xd800 && last < 0xdc00 ? most + 1 : most
}
