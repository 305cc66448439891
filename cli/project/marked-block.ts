import { endedLike, lineEndOf } from './line-ends.ts'

/** The two comment lines that enclose what is ours in a file of others. */
export interface Marks {
  first: string
  last: string
}

/** A text without our block, and without the empty line that was put before it. */
export function withoutBlock(text: string, marks: Marks): string {
  const place = findBlock(text, marks)
  if (!place) return text
  const end = lineEndOf(text)
  const before = text.slice(0, place[0])
  const hasGap = before.endsWith(end + end) || before === end
  return (hasGap ? before.slice(0, -end.length) : before) + text.slice(place[1])
}

/** A text with our block where it was, or at the end. `lines` are between the marks. */
export function withBlock(text: string, marks: Marks, lines: string): string {
  const block = endedLike(`${marks.first}\n${lines}${marks.last}\n`, text)
  const place = findBlock(text, marks)
  if (place) return text.slice(0, place[0]) + block + text.slice(place[1])
  const end = lineEndOf(text)
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end
  return text + gap + block
}

/** Where it begins and ends, with both marks and the end of the last line. */
function findBlock(text: string, { first, last }: Marks): [number, number] | undefined {
  const start = lineAt(text, first, 0)
  const close = start === -1 ? -1 : lineAt(text, last, start)
  if (close === -1) return undefined
  const end = text.indexOf('\n', close)
  return [start, end === -1 ? text.length : end + 1]
}

/** Where the line begins that is this one; -1 if there is none. */
function lineAt(text: string, line: string, from: number): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const isStart = at === 0 || text[at - 1] === '\n'
    if (isStart && /^\r?(?:\n|$)/.test(text.slice(at + line.length, at + line.length + 2))) return at
  }
  return -1
}
