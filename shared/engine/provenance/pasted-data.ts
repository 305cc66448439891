/** A part of a text. */
export interface Span {
  start: number
  end: number
}

/** A line with its place in the text, without its line break. */
interface Line extends Span {
  text: string
}

/** Lines of one form that nobody types by hand. */
const fewestLines = 3
const fewestColumns = 3
/** Characters at the start of a line that show its form. */
const longestHead = 120
/** Characters that are parsed as JSON, all attempts together: a hostile text costs milliseconds. */
const mostParsed = 400_000

/**
 * Where a text holds what a program wrote: three or more lines of a chat or log (each starts with a time, and a name),
 * JSON that parses, a table with a header and three columns, or a block with one indentation after a blank line.
 * Lists of names and addresses, and whatever is shorter or less regular, are nobody's but the person's.
 */
export function pastedData(text: string): Span[] {
  if (!text.includes('\n')) return []
  const lines = linesOf(text)
  return [...talkIn(lines), ...jsonIn(text, lines), ...tablesIn(lines), ...blocksIn(lines)]
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((whole) => {
    const line = whole.replace(/\r$/, '')
    const at = start
    start += whole.length + 1
    return { text: line, start: at, end: at + line.length }
  })
}

const time = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?`
const zone = String.raw`(?:[ \u00a0\u202f]?[AaPp]\.?[Mm]\.?|Z|[ ]?[+-]\d{2}:?\d{2})?`
const date = String.raw`(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\p{L}{3,9}\.?[ ]\d{1,2})`
const name = String.raw`\p{L}[^:：>|\n]{0,40}`
/** `[21.11.26, 10:02:11] Eve: …`, `21/11/2026, 10:02 - Eve: …`, `10:02 Eve: …` */
const timeAndName = new RegExp(
  String.raw`^[ \t[(<]*(?:${date}[,T]?[ ]?)?${time}${zone}[\])>]*[ \t,–—-]*${name}[:：>|]`,
  'u',
)
/** `2026-11-21T10:02:11Z INFO …`, `Nov 21 10:02:11 host …` */
const stamp = new RegExp(String.raw`^[ \t[(<]*${date}[,T]?[ ]?\d{2}:\d{2}:\d{2}`, 'u')
/** `Eve [10:02]: …` */
const nameAndBrackets = new RegExp(
  String.raw`^\p{L}[^\n:：\d[(]{0,40}[[(](?:${date}[,T]?[ ]?)?${time}${zone}[\])][ \t]*[:：]`,
  'u',
)
/** `Eve Miller  10:02 AM`, and what she said below it */
const nameAbove = new RegExp(
  String.raw`^\p{L}[^\n:：\d[(]{0,40}[ \t,–—[(]+(?:${date}[,T]?[ ]?)?${time}${zone}[\])]*[ \t]*$`,
  'u',
)

/** A chat or a log: from its first such line to its last one and what belongs to that, up to a blank line. */
function talkIn(lines: readonly Line[]): Span[] {
  const isOf = (form: RegExp, line: Line | undefined) => form.test(line?.text.slice(0, longestHead) ?? '')
  const said = (line: Line | undefined) =>
    line !== undefined && line.text.trim() !== '' && !isOf(nameAbove, line)
  return [timeAndName, stamp, nameAndBrackets, nameAbove].flatMap((form) => {
    const found = lines.flatMap((line, index) =>
      isOf(form, line) && (form !== nameAbove || said(lines[index + 1])) ? [index] : [],
    )
    if (found.length < fewestLines) return []
    const blank = lines.findIndex((line, index) => index > (found.at(-1) ?? 0) && line.text.trim() === '')
    const first = lines[found[0] ?? 0]
    const last = lines[blank < 0 ? lines.length - 1 : blank - 1]
    return first && last ? [{ start: first.start, end: last.end }] : []
  })
}

/** JSON of three or more lines: one value, or one after the other. */
function jsonIn(text: string, lines: readonly Line[]): Span[] {
  const spans: Span[] = []
  let left = mostParsed
  for (const { text: line, start } of lines) {
    const last = spans.at(-1)
    if ((last && start < last.end) || left <= 0 || !/^\s*[[{]/.test(line)) continue
    const end = endOfValue(text, start, start + left)
    left -= (end ?? text.length) - start
    if (end === undefined || !isJson(text.slice(start, end))) continue
    // Values in consecutive lines are one block.
    if (last && text.slice(last.end, start).trim() === '') last.end = end
    else spans.push({ start, end })
  }
  return spans.filter(({ start, end }) => text.slice(start, end).split('\n').length >= fewestLines)
}

/** Where the first bracket is closed again; undefined if it is not, or only after `limit`. */
function endOfValue(text: string, start: number, limit: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length && at < limit; at++) {
    const sign = text[at]
    if (isQuoted && sign === '\\') at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Consecutive lines with the same number of columns, below a header: in some column, only the header is a word. */
function tablesIn(lines: readonly Line[]): Span[] {
  return [',', ';', '\t'].flatMap((mark) => {
    const rows = lines.map(({ text }) => cellsOf(text, mark))
    const spans: Span[] = []
    for (let first = 0; first < lines.length; first++) {
      const columns = rows[first]?.length ?? 0
      if (columns < fewestColumns) continue
      let next = first + 1
      while (rows[next]?.length === columns) next++
      if (next - first >= fewestLines && hasHeader(rows.slice(first, next))) {
        spans.push({ start: lines[first]?.start ?? 0, end: lines[next - 1]?.end ?? 0 })
      }
      first = next - 1
    }
    return spans
  })
}

/** The columns of a row, where quotes may hold the mark; a line that is longer than any row is none. */
function cellsOf(line: string, mark: string): string[] {
  if (line.length > 10_000 || !line.includes(mark)) return []
  return line
    .replace(/"(?:[^"]|"")*"/g, (quoted) => quoted.replaceAll(mark, ' '))
    .split(mark)
    .map((cell) => cell.trim())
}

function hasHeader([header = [], ...rows]: string[][]): boolean {
  const isNames =
    header.every((cell) => /^["\p{L}_][^@\d]*$/u.test(cell)) && new Set(header).size === header.length
  return isNames && header.some((_, column) => rows.every((row) => /[@\d]/.test(row[column] ?? '')))
}

/** Lines with one indentation below a blank line; not a list, and not one of addresses. */
function blocksIn(lines: readonly Line[]): Span[] {
  const spans: Span[] = []
  for (let first = 1; first < lines.length; first++) {
    const indent = /^(?:\t+| {2,}|　+)/.exec(lines[first]?.text ?? '')?.[0]
    if (indent === undefined || lines[first - 1]?.text.trim() !== '') continue
    let next = first
    while (hasIndent(lines[next]?.text ?? '', indent)) next++
    const block = lines.slice(first, next)
    const isList = block.every(({ text }) => /^\s*(?:[-*+•·]|\d+[.)])\s|[^\s@]@[^\s@]/.test(text))
    if (block.length >= fewestLines && !isList)
      spans.push({ start: lines[first]?.start ?? 0, end: block.at(-1)?.end ?? 0 })
    first = Math.max(first, next - 1)
  }
  return spans
}

function hasIndent(line: string, indent: string): boolean {
  return line.startsWith(indent) && line.trim() !== ''
}
