import { type Paper, paragraphEnd, type Unit } from './paper.ts'

export interface DocumentFacts {
  id: string
  title: string
  revisionId: string
  /** Only editors see the revision. */
  mayEdit: boolean
}

/** A paper as documents.get returns it (developers.google.com/workspace/docs/api/reference/rest/v1/documents). */
export function documentJson(paper: Paper, facts: DocumentFacts): Record<string, unknown> {
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
    title: facts.title,
    body: { content },
    lists: listsOf(paper.units),
    ...(paper.namedRanges.length > 0 ? { namedRanges } : {}),
    ...(facts.mayEdit ? { revisionId: facts.revisionId } : {}),
    suggestionsViewMode: 'SUGGESTIONS_INLINE',
    documentId: facts.id,
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
    const style = units[at]?.style ?? {}
    const key = JSON.stringify(style)
    let last = at
    while (last < end && JSON.stringify(units[last + 1]?.style ?? {}) === key) last += 1
    const text = units.slice(at, last + 1).map((unit) => unit.text)
    elements.push({
      startIndex: at + 1,
      endIndex: last + 2,
      textRun: { content: text.join(''), textStyle: style },
    })
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
      ...(listId ? { bullet: { listId, ...(nestingLevel ? { nestingLevel } : {}) } } : {}),
    },
  }
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
