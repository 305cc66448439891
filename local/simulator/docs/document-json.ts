import type { FileTab } from './drive-file.ts'
import { type Paper, paragraphEnd, type Unit } from './paper.ts'

export interface DocumentFacts {
  id: string
  title: string
  revisionId: string
  /** Only editors see the revision and suggestions. */
  mayEdit: boolean
  /** `includeTabsContent`: all tabs, instead of the content of the first one. */
  withTabs: boolean
}

/** A document as documents.get returns it (developers.google.com/workspace/docs/api/reference/rest/v1/documents). */
export function documentJson(tabs: readonly FileTab[], facts: DocumentFacts): Record<string, unknown> {
  const { title, id, revisionId, mayEdit, withTabs } = facts
  const contentOf = ({ paper }: FileTab) => paperJson(mayEdit ? paper : withoutSuggestions(paper))
  const tabJson = (tab: FileTab, index: number, depth: number): object => {
    const below = tabs.filter(({ parentId }) => parentId === tab.id)
    return {
      tabProperties: {
        tabId: tab.id,
        title: tab.title,
        index,
        ...(tab.parentId === undefined ? {} : { parentTabId: tab.parentId, nestingLevel: depth }),
      },
      documentTab: contentOf(tab),
      childTabs: below.length > 0 ? below.map((one, at) => tabJson(one, at, depth + 1)) : undefined,
    }
  }
  const [first] = tabs
  const roots = tabs.filter(({ parentId }) => parentId === undefined)
  return {
    title,
    ...(withTabs ? { tabs: roots.map((tab, index) => tabJson(tab, index, 0)) } : first && contentOf(first)),
    ...(mayEdit ? { revisionId } : {}),
    suggestionsViewMode: mayEdit ? 'SUGGESTIONS_INLINE' : 'PREVIEW_WITHOUT_SUGGESTIONS',
    documentId: id,
  }
}

/** As people see it who may only read: as long as nobody has accepted a suggestion. */
function withoutSuggestions(paper: Paper): Paper {
  const kept = paper.units.filter(({ suggested }) => suggested !== 'added')
  return { ...paper, units: kept.map(({ suggested, ...unit }) => unit) }
}

/** The content of a tab (DocumentTab), or of a document whose tabs were not asked for. */
function paperJson(paper: Paper): Record<string, unknown> {
  const reader = { units: paper.units, at: 0 }
  const content = [
    { endIndex: 1, sectionBreak: { sectionStyle: { contentDirection: 'LEFT_TO_RIGHT' } } },
    ...readContent(reader, paper.units.length),
  ]
  const namedRanges: Record<string, { name: string; namedRanges: object[] }> = {}
  for (const { id, name } of paper.namedRanges) {
    namedRanges[name] ??= { name, namedRanges: [] }
    namedRanges[name].namedRanges.push({ namedRangeId: id, name, ranges: [rangeOf(paper.units, id)] })
  }
  return {
    body: { content },
    lists: listsOf(paper.units),
    ...(paper.namedRanges.length > 0 ? { namedRanges } : {}),
  }
}

interface Reader {
  units: readonly Unit[]
  at: number
}

function readContent(reader: Reader, end: number): object[] {
  const content: object[] = []
  while (reader.at < end) {
    const unit = reader.units[reader.at] as Unit
    if (unit.mark === 'table') content.push(readTable(reader))
    else if (unit.mark) break
    else content.push(readParagraph(reader))
  }
  return content
}

function readParagraph(reader: Reader): object {
  const { units } = reader
  const start = reader.at
  const end = paragraphEnd(units, start)
  const elements: object[] = []
  for (let at = start; at <= end; ) {
    const unit = units[at] as Unit
    let last = at
    while (last < end && !unit.element && isSameRun(unit, units[last + 1])) last += 1
    elements.push({ startIndex: at + 1, endIndex: last + 2, ...elementJson(units.slice(at, last + 1)) })
    at = last + 1
  }
  reader.at = end + 1
  const newline = units[end]
  const { listId, nestingLevel } = newline?.bullet ?? {}
  return {
    startIndex: start + 1,
    endIndex: end + 2,
    paragraph: {
      elements,
      paragraphStyle: { ...newline?.paragraph, direction: 'LEFT_TO_RIGHT' },
      bullet: listId ? { listId, ...(nestingLevel ? { nestingLevel } : {}) } : undefined,
    },
  }
}

function isSameRun(one: Unit, other: Unit | undefined): boolean {
  const key = ({ style = {}, suggested }: Unit) => JSON.stringify([style, suggested])
  return other !== undefined && !other.element && key(one) === key(other)
}

function elementJson(units: readonly Unit[]): object {
  const [{ element, style = {}, suggested } = { text: '' } as Unit] = units
  const content = units.map(({ text }) => text).join('')
  const suggestion = {
    suggestedInsertionIds: suggested === 'added' ? ['suggest.1'] : undefined,
    suggestedDeletionIds: suggested === 'removed' ? ['suggest.2'] : undefined,
  }
  const [[kind, properties]] = Object.entries(element ?? { textRun: { content, textStyle: style } }) as [
    [string, object],
  ]
  return { [kind]: { ...properties, ...suggestion } }
}

function readTable(reader: Reader): object {
  const startIndex = reader.at + 1
  const { rows = 0, columns = 0 } = reader.units[reader.at] as Unit
  reader.at += 1
  const tableRows = Array.from({ length: rows }, () => {
    const rowStart = reader.at + 1
    reader.at += 1
    const tableCells = Array.from({ length: columns }, () => {
      const cellStart = reader.at + 1
      reader.at += 1
      const content = readContent(reader, reader.units.length)
      return { startIndex: cellStart, endIndex: reader.at + 1, content }
    })
    return { startIndex: rowStart, endIndex: reader.at + 1, tableCells }
  })
  reader.at += 1
  return { startIndex, endIndex: reader.at + 1, table: { rows, columns, tableRows } }
}

function rangeOf(units: readonly Unit[], id: string): object {
  const places = units.flatMap(({ ranges }, index) => (ranges?.includes(id) ? [index + 1] : []))
  return { startIndex: places[0], endIndex: (places.at(-1) ?? 0) + 1 }
}

function listsOf(units: readonly Unit[]): Record<string, object> {
  const lists: Record<string, object> = {}
  for (const { bullet } of units) {
    if (!bullet) continue
    const level = bullet.ordered ? { glyphType: 'DECIMAL' } : { glyphSymbol: '●' }
    lists[bullet.listId] ??= { listProperties: { nestingLevels: Array.from({ length: 9 }, () => level) } }
  }
  return lists
}
