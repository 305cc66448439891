import { blocksOf, type Paragraph, plainBlocks, type Table } from './page.ts'
import { readMarkdown } from './read-markdown.ts'
import { type StyledRun, type TextStyle, textOf } from './styled-text.ts'

/** One request of documents.batchUpdate. */
export type DocsRequest = Record<string, Record<string, unknown>>

/** Where text is inserted, in UTF-16 code units. */
export interface InsertionPoint {
  index: number
  /** There is text before it in its paragraph, so the inserted text starts a new one. */
  afterText: boolean
}

interface Placed {
  paragraph: Paragraph
  start: number
  end: number
}

const resetParagraph = {
  paragraphStyle: { namedStyleType: 'NORMAL_TEXT' },
  fields: 'namedStyleType,alignment,indentStart,indentFirstLine,borderBottom',
}

/**
 * Requests that add Markdown to a document: first all text, then the styles, then whatever moves indices (tables, and
 * lists, which lose the tabs that encode their depth), from last to first, so that every index still to be used stays
 * valid. `insertTable` adds a newline before the table, and one index each for table, row and cell.
 */
export function docsRequests(markdown: string, { index, afterText }: InsertionPoint): DocsRequest[] {
  const tokens = readMarkdown(markdown)
  const blocks = tokens ? blocksOf(tokens) : []
  const page = blocks.length > 0 ? blocks : plainBlocks(markdown)
  const begin = index + (afterText ? 1 : 0)
  const placed: Placed[] = []
  const tables: { table: Table; index: number }[] = []
  let text = ''
  for (const block of page) {
    const start = begin + text.length
    if (block.kind === 'table') {
      tables.push({ table: block, index: start })
      text += '\n'
    } else {
      const line = `${'\t'.repeat(block.item?.depth ?? 0)}${textOf(block.runs)}`
      placed.push({ paragraph: block, start, end: start + line.length + 1 })
      text += `${line}\n`
    }
  }
  // The document's final newline ends the last paragraph.
  const added = text.slice(0, -1)
  // A range only touches an empty last paragraph if it includes that newline.
  const isLastEmpty = added === '' || added.endsWith('\n')
  const range = { startIndex: begin, endIndex: begin + added.length + (isLastEmpty ? 1 : 0) }
  const structure = [
    ...listsOf(placed).map((list) => ({ index: list.startIndex, requests: [bullets(list)] })),
    ...tables.map(({ table, index }) => ({ index, requests: tableRequests(table, index) })),
  ].sort((one, other) => other.index - one.index)
  const inserted = `${afterText ? '\n' : ''}${added}`
  return [
    ...(inserted === '' ? [] : [{ insertText: { location: { index }, text: inserted } }]),
    { deleteParagraphBullets: { range } },
    { updateParagraphStyle: { ...resetParagraph, range } },
    ...(added === '' ? [] : [{ updateTextStyle: { textStyle: {}, fields: '*', range } }]),
    ...placed.flatMap(paragraphRequests),
    ...structure.flatMap(({ requests }) => requests),
  ]
}

function paragraphRequests({ paragraph, start, end }: Placed): DocsRequest[] {
  const range = { startIndex: start, endIndex: end }
  const style = (paragraphStyle: object, fields: string) => ({
    updateParagraphStyle: { paragraphStyle, fields, range },
  })
  const { heading, quoted, ruled, item, runs } = paragraph
  return [
    ...(heading ? [style({ namedStyleType: `HEADING_${heading}` }, 'namedStyleType')] : []),
    ...(quoted
      ? [style({ indentStart: points(36), indentFirstLine: points(36) }, 'indentStart,indentFirstLine')]
      : []),
    ...(ruled ? [style({ borderBottom: line }, 'borderBottom')] : []),
    ...styleRequests(runs, start + (item?.depth ?? 0)),
  ]
}

const points = (magnitude: number) => ({ magnitude, unit: 'PT' })
const line = {
  color: { color: { rgbColor: { red: 0.6, green: 0.6, blue: 0.6 } } },
  width: points(1),
  padding: points(1),
  dashStyle: 'SOLID',
}

function styleRequests(runs: readonly StyledRun[], start: number): DocsRequest[] {
  let index = start
  return runs.flatMap(({ text, style }) => {
    const startIndex = index
    index += text.length
    return text === '' || Object.keys(style).length === 0 ? [] : [textStyle(style, startIndex, index)]
  })
}

function textStyle(style: TextStyle, startIndex: number, endIndex: number): DocsRequest {
  const fields = Object.keys(style).join(',')
  return { updateTextStyle: { textStyle: style, fields, range: { startIndex, endIndex } } }
}

interface List {
  startIndex: number
  endIndex: number
  ordered: boolean
}

/** Consecutive items of one kind. */
function listsOf(placed: readonly Placed[]): List[] {
  const lists: List[] = []
  for (const { paragraph, start, end } of placed) {
    if (!paragraph.item) continue
    const { ordered } = paragraph.item
    const last = lists.at(-1)
    if (last?.endIndex === start && last.ordered === ordered) last.endIndex = end
    else lists.push({ startIndex: start, endIndex: end, ordered })
  }
  return lists
}

function bullets({ startIndex, endIndex, ordered }: List): DocsRequest {
  const bulletPreset = ordered ? 'NUMBERED_DECIMAL_ALPHA_ROMAN' : 'BULLET_DISC_CIRCLE_SQUARE'
  return { createParagraphBullets: { range: { startIndex, endIndex }, bulletPreset } }
}

function tableRequests({ rows }: Table, index: number): DocsRequest[] {
  const columns = Math.max(...rows.map((row) => row.length))
  const cells = rows.flatMap((row, r) =>
    row.map((runs, c) => ({ runs, isHead: r === 0, at: index + 4 + r * (2 * columns + 1) + 2 * c })),
  )
  return [
    { insertTable: { rows: rows.length, columns, location: { index } } },
    ...cells.reverse().flatMap(cellRequests),
  ]
}

function cellRequests({ runs, isHead, at }: { runs: StyledRun[]; isHead: boolean; at: number }) {
  const text = textOf(runs)
  if (text === '') return []
  return [
    { insertText: { location: { index: at }, text } },
    ...(isHead ? [textStyle({ bold: true }, at, at + text.length)] : []),
    ...styleRequests(runs, at),
  ]
}
