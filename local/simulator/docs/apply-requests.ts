import { docsError } from './docs-error.ts'
import { copyTabs, type FileTab, onlyTab } from './drive-file.ts'
import { isText, type Paper, type Unit } from './paper.ts'
import {
  bullet,
  forgetEmptyRanges,
  insert,
  insertTable,
  isBalanced,
  paragraphsIn,
  type Range,
  replaceAll,
} from './paper-changes.ts'

type Fields = Record<string, unknown>

/**
 * Applies the requests of documents.batchUpdate to a copy: all of them or, if one is refused, none. Returns the tabs
 * and a reply to each (developers.google.com/workspace/docs/api/reference/rest/v1/documents/request).
 */
export function applyToTabs(
  tabs: readonly FileTab[],
  requests: unknown[],
): { tabs: FileTab[]; replies: object[] } {
  const copies = copyTabs(tabs)
  const replies = requests.map((request, index) => {
    const [name, given] = Object.entries((request ?? {}) as Fields)[0] ?? []
    const apply = name === undefined ? undefined : operations[name]
    if (!apply) throw docsError(400, `Invalid requests[${index}]: No request set.`)
    const body = (given ?? {}) as Fields
    const place = `Invalid requests[${index}].${name}`
    const answers = tabsOf(copies, name ?? '', body, place).map(({ paper }) => apply(paper, body, place))
    return answers.reduce(addCounts, {})
  })
  return { tabs: copies, replies }
}

/** The same for a document with one tab. */
export function applyRequests(paper: Paper, requests: unknown[]): { paper: Paper; replies: object[] } {
  const { tabs, replies } = applyToTabs(onlyTab(paper), requests)
  return { paper: (tabs[0] as FileTab).paper, replies }
}

/** Without a tab's id, a place is in the first tab; replacing and removing ranges concerns all tabs. */
function tabsOf(tabs: FileTab[], name: string, body: Fields, place: string): FileTab[] {
  const isOfAll = name === 'replaceAllText' || name === 'deleteNamedRange'
  const { tabIds } = (body.tabsCriteria ?? {}) as { tabIds?: string[] }
  const { tabId } = (body.location ?? body.endOfSegmentLocation ?? body.range ?? {}) as { tabId?: string }
  const wanted = isOfAll ? tabIds : tabId === undefined ? tabs.slice(0, 1).map(({ id }) => id) : [tabId]
  for (const id of wanted ?? []) {
    if (!tabs.some((tab) => tab.id === id)) throw docsError(400, `${place}: The provided tab ID is invalid.`)
  }
  return wanted ? tabs.filter(({ id }) => wanted.includes(id)) : tabs
}

function addCounts(sum: object, answer: object): object {
  const countOf = (reply: object) =>
    'replaceAllText' in reply ? (reply.replaceAllText as Counted) : undefined
  const [before, now] = [countOf(sum), countOf(answer)]
  if (!before || !now) return { ...sum, ...answer }
  const occurrencesChanged = (before.occurrencesChanged ?? 0) + (now.occurrencesChanged ?? 0)
  return { replaceAllText: occurrencesChanged > 0 ? { occurrencesChanged } : {} }
}

interface Counted {
  occurrencesChanged?: number
}

type Operation = (paper: Paper, body: Fields, place: string) => object

const operations: Record<string, Operation> = {
  insertText(paper, body, place) {
    insert(paper, positionOf(paper, body, place), String(body.text ?? ''))
    return {}
  },
  deleteContentRange(paper, body, place) {
    const { start, end } = rangeOf(paper, body.range, place)
    if (start === end) throw docsError(400, `${place}: The range should not be empty.`)
    if (end === paper.units.length)
      throw docsError(
        400,
        `${place}: The range cannot include the newline character at the end of the segment.`,
      )
    const removed = paper.units.splice(start, end - start)
    // Text that lost its newline joins the next paragraph.
    if (removed.some(({ mark }) => mark) && !isBalanced(removed))
      throw docsError(400, `${place}: The range cannot include part of a table.`)
    forgetEmptyRanges(paper)
    return {}
  },
  replaceAllText(paper, body, place) {
    const { text = '', matchCase = false } = (body.containsText ?? {}) as Fields
    if (text === '') throw docsError(400, `${place}: The text to find must not be empty.`)
    const occurrencesChanged = replaceAll(
      paper,
      String(text),
      String(body.replaceText ?? ''),
      matchCase === true,
    )
    return { replaceAllText: occurrencesChanged > 0 ? { occurrencesChanged } : {} }
  },
  updateTextStyle(paper, body, place) {
    for (const unit of slice(paper, rangeOf(paper, body.range, place)))
      if (isText(unit)) unit.style = restyled(unit.style, body.textStyle, body.fields, place)
    return {}
  },
  updateParagraphStyle(paper, body, place) {
    for (const end of paragraphsIn(paper, rangeOf(paper, body.range, place)))
      end.paragraph = restyled(end.paragraph, body.paragraphStyle, body.fields, place)
    return {}
  },
  createParagraphBullets(paper, body, place) {
    bullet(paper, rangeOf(paper, body.range, place), String(body.bulletPreset ?? ''))
    return {}
  },
  deleteParagraphBullets(paper, body, place) {
    for (const end of paragraphsIn(paper, rangeOf(paper, body.range, place))) delete end.bullet
    return {}
  },
  insertTable(paper, body, place) {
    const { rows, columns } = body
    if (!(Number(rows) > 0 && Number(columns) > 0))
      throw docsError(400, `${place}: The number of rows and columns must be positive.`)
    insertTable(paper, positionOf(paper, body, place), Number(rows), Number(columns))
    return {}
  },
  createNamedRange(paper, body, place) {
    const name = String(body.name ?? '')
    if (name === '' || name.length > 256)
      throw docsError(400, `${place}: The name must be 1 to 256 characters.`)
    const id = `kix.${paper.namedRanges.length}${name.length}${Math.random().toString(36).slice(2)}`
    paper.namedRanges.push({ id, name })
    for (const unit of slice(paper, rangeOf(paper, body.range, place)))
      unit.ranges = [...(unit.ranges ?? []), id]
    return { createNamedRange: { namedRangeId: id } }
  },
  deleteNamedRange(paper, body) {
    paper.namedRanges = paper.namedRanges.filter(
      ({ id, name }) => id !== body.namedRangeId && name !== body.name,
    )
    return {}
  },
}

function slice(paper: Paper, { start, end }: Range): Unit[] {
  return paper.units.slice(start, end)
}

function positionOf(paper: Paper, body: Fields, place: string): number {
  if (body.endOfSegmentLocation) return paper.units.length - 1
  const index = Number(((body.location ?? {}) as Fields).index)
  if (!(index >= 1))
    throw docsError(
      400,
      `${place}: The insertion index must be inside the bounds of an existing paragraph. You can still create new paragraphs by inserting newlines.`,
    )
  if (index > paper.units.length)
    throw docsError(
      400,
      `${place}: Index ${index} must be less than the end index of the referenced segment, ${paper.units.length + 1}.`,
    )
  if (!isText(paper.units[index - 1]))
    throw docsError(400, `${place}: The insertion index must be inside the bounds of an existing paragraph.`)
  return index - 1
}

function rangeOf(paper: Paper, range: unknown, place: string): Range {
  const { startIndex, endIndex } = (range ?? {}) as Fields
  const start = Number(startIndex)
  const end = Number(endIndex)
  if (!(start >= 1) || !(end >= start)) throw docsError(400, `${place}.range: Invalid range.`)
  if (end > paper.units.length + 1)
    throw docsError(
      400,
      `${place}: Index ${end} must be less than the end index of the referenced segment, ${paper.units.length + 1}.`,
    )
  if (start === end) throw docsError(400, `${place}: The range should not be empty.`)
  return { start: start - 1, end: end - 1 }
}

function restyled(style: Fields = {}, given: unknown, fields: unknown, place: string): Fields {
  const names = String(fields ?? '').split(',')
  if (names[0] === '') throw docsError(400, `${place}: At least one field must be listed in 'fields'.`)
  const wanted = (given ?? {}) as Fields
  if (names[0] === '*') return { ...wanted }
  const next = { ...style }
  for (const name of names) {
    if (wanted[name] === undefined) delete next[name]
    else next[name] = wanted[name]
  }
  return next
}
