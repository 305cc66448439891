import type { Token, Tokens } from 'marked'
import { plainCharacters } from './plain-characters.ts'
import { codeStyle, type StyledRun, styledText } from './styled-text.ts'

export interface Paragraph {
  kind: 'paragraph'
  runs: StyledRun[]
  /** 1 to 6. */
  heading?: number
  quoted?: true
  /** A thematic break below. */
  ruled?: true
  item?: { depth: number; ordered: boolean }
}

export interface Table {
  kind: 'table'
  /** Rows of cells; the first row is the header. */
  rows: StyledRun[][][]
}

/** The blocks of a document: paragraphs, some of them list items, and tables. */
export type Block = Paragraph | Table

/** Docs nests lists nine levels deep. */
const deepestItem = 8

/** Markdown blocks in the form of a document: nested blocks are flattened, and lists are paragraphs with a depth. */
export function blocksOf(tokens: readonly Token[], around: Partial<Paragraph> = {}): Block[] {
  return tokens.flatMap((token) => blocksOfToken(token as Tokens.Generic, around))
}

/** Plain text: one paragraph per line. */
export function plainBlocks(text: string): Block[] {
  const lines = plainCharacters(text).split('\n')
  return lines.map((line) => ({ kind: 'paragraph', runs: [{ text: line, style: {} }] }))
}

function blocksOfToken(token: Tokens.Generic, around: Partial<Paragraph>): Block[] {
  const paragraph = (runs: StyledRun[], more: Partial<Paragraph> = {}): Block[] => [
    { ...around, ...more, kind: 'paragraph', runs },
  ]
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return paragraph(styledText(token.tokens ?? []), { heading: token.depth })
    case 'blockquote':
      return blocksOf(token.tokens ?? [], { ...around, quoted: true })
    case 'list':
      return itemsOf(token as Tokens.List, 0, false)
    case 'table':
      return [tableOf(token as Tokens.Table)]
    case 'code':
      return paragraph([{ text: lines(token.text), style: codeStyle }])
    case 'hr':
      return paragraph([], { ruled: true })
    case 'html':
      return paragraph([{ text: lines(token.text), style: {} }])
    default:
      return paragraph(styledText(token.tokens ?? [token]))
  }
}

/** Lines that stay together in one paragraph. */
function lines(text: string): string {
  return plainCharacters(text).trimEnd().replaceAll('\n', '\v')
}

/**
 * A list inside a numbered one is numbered too: Docs has one kind of bullet per list, and a nested list of another kind
 * would restart the numbers.
 */
function itemsOf(list: Tokens.List, depth: number, insideNumbered: boolean): Block[] {
  const ordered = insideNumbered || list.ordered
  return list.items.flatMap((item) => {
    const own = item.tokens.filter(({ type }) => type !== 'list' && type !== 'checkbox')
    const inner = item.tokens.filter((token): token is Tokens.List => token.type === 'list')
    const box = item.task ? [{ text: item.checked ? '☑ ' : '☐ ', style: {} }] : []
    const runs = [...box, ...joined(blocksOf(own))]
    const line: Block = {
      kind: 'paragraph',
      runs: withoutLeadingBlanks(runs),
      item: { depth: Math.min(depth, deepestItem), ordered },
    }
    return [line, ...inner.flatMap((one) => itemsOf(one, depth + 1, ordered))]
  })
}

/** The blocks of one item become lines of one paragraph; a table in a list becomes its cells. */
function joined(blocks: readonly Block[]): StyledRun[] {
  const parts = blocks.flatMap((block) => (block.kind === 'table' ? block.rows.flat() : [block.runs]))
  return parts.flatMap((runs, index) => (index === 0 ? runs : [{ text: '\v', style: {} }, ...runs]))
}

/** Tabs before an item would count as its depth. */
function withoutLeadingBlanks([first, ...rest]: StyledRun[]): StyledRun[] {
  return first ? [{ ...first, text: first.text.replace(/^[ \t\n]+/, '') }, ...rest] : []
}

function tableOf({ header, rows }: Tokens.Table): Table {
  return {
    kind: 'table',
    rows: [header, ...rows].map((row) => row.map((cell) => styledText(cell.tokens))),
  }
}
