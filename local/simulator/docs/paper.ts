/**
 * One position of a document: a UTF-16 code unit, or a mark that takes up an index but is not text. In Docs, index 0 is
 * the section break, and the first unit has index 1.
 */
export interface Unit {
  /** One code unit, or '' for a mark. */
  text: string
  mark?: 'table' | 'row' | 'cell' | 'table-end'
  /** For text: the API's TextStyle. */
  style?: Record<string, unknown>
  /** For a newline: the API's ParagraphStyle. */
  paragraph?: Record<string, unknown>
  /** For a newline. */
  bullet?: { listId: string; nestingLevel: number; ordered: boolean }
  /** Ids of named ranges. */
  ranges?: string[]
  /** For a smart chip, a picture or a footnote mark: the API's ParagraphElement. Its text is ''. */
  element?: Record<string, Record<string, unknown>>
  /** Whether somebody suggests that it be added or removed. */
  suggested?: 'added' | 'removed'
  /** For a table mark. */
  rows?: number
  columns?: number
}

export interface NamedRange {
  id: string
  name: string
}

/** The content of a document; a batch of requests works on a copy. */
export interface Paper {
  units: Unit[]
  namedRanges: NamedRange[]
  lists: number
}

export function emptyPaper(): Paper {
  return { units: [{ text: '\n', paragraph: normal }], namedRanges: [], lists: 0 }
}

const normal = { namedStyleType: 'NORMAL_TEXT' }

export function copyOf(paper: Paper): Paper {
  return { ...paper, units: paper.units.map((unit) => ({ ...unit })), namedRanges: [...paper.namedRanges] }
}

/** Position of the newline that ends the paragraph at a position. */
export function paragraphEnd(units: readonly Unit[], position: number): number {
  let end = position
  while (units[end] && units[end]?.text !== '\n') end += 1
  return end
}

/** Position of the first unit of the paragraph at a position. */
export function paragraphStart(units: readonly Unit[], position: number): number {
  let start = position
  while (start > 0 && isText(units[start - 1]) && units[start - 1]?.text !== '\n') start -= 1
  return start
}

export function isText(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.mark === undefined
}

/** The text of the paragraphs, without marks. */
export function wordsOf(paper: Paper): string {
  return paper.units.map(({ text }) => text).join('')
}
