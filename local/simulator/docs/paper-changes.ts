import { isText, type Paper, paragraphEnd, paragraphStart, type Unit } from './paper.ts'

/** A range of positions; the end is exclusive. */
export interface Range {
  start: number
  end: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Docs strips these from inserted text
const stripped = /[\u0000-\u0008\u000c-\u001f\ue000-\uf8ff]/g

/** Inserted text takes the style of the text before it in its paragraph; a new newline copies its paragraph. */
export function insert(paper: Paper, position: number, text: string): void {
  const { units } = paper
  const before = position > 0 && isText(units[position - 1]) ? units[position - 1] : undefined
  const neighbour = before && before.text !== '\n' ? before : units[position]
  const end = units[paragraphEnd(units, position)]
  const added = [...text.replace(stripped, '').split('')].map(
    (character): Unit => ({
      text: character,
      style: neighbour?.style,
      ...(character === '\n' ? { paragraph: end?.paragraph, bullet: end?.bullet } : {}),
    }),
  )
  putIn(paper, position, added)
}

/** Splices small insertions in place: a large table is filled cell by cell. */
function putIn(paper: Paper, position: number, added: Unit[]): void {
  const { units } = paper
  if (added.length < 1000) units.splice(position, 0, ...added)
  else paper.units = [...units.slice(0, position), ...added, ...units.slice(position)]
}

export function insertTable(paper: Paper, position: number, rows: number, columns: number): void {
  insert(paper, position, '\n')
  const cell = (): Unit[] => [
    { text: '', mark: 'cell' },
    { text: '\n', paragraph: { namedStyleType: 'NORMAL_TEXT' } },
  ]
  const row = (): Unit[] => [{ text: '', mark: 'row' }, ...Array.from({ length: columns }, cell).flat()]
  const table: Unit[] = [
    { text: '', mark: 'table', rows, columns },
    ...Array.from({ length: rows }, row).flat(),
    { text: '', mark: 'table-end' },
  ]
  putIn(paper, position + 1, table)
}

/** The newlines of all paragraphs that a range touches. */
export function paragraphsIn({ units }: Paper, { start, end }: Range): Unit[] {
  const last = paragraphEnd(units, end - 1)
  return units.slice(start, last + 1).filter(({ text }) => text === '\n')
}

/** Leading tabs set the depth of an item and are removed. */
export function bullet(paper: Paper, { start, end }: Range, preset: string): void {
  const { units } = paper
  const listId = `kix.list${paper.lists++}`
  const ordered = preset.startsWith('NUMBERED')
  const last = paragraphEnd(units, end - 1)
  const kept: Unit[] = []
  let depth = 0
  let isStart = true
  for (let position = paragraphStart(units, start); position <= last; position++) {
    const unit = units[position] as Unit
    if (isStart && unit.text === '\t') {
      depth += 1
      continue
    }
    isStart = unit.text === '\n'
    kept.push(isStart ? { ...unit, bullet: { listId, nestingLevel: depth, ordered } } : unit)
    if (isStart) depth = 0
  }
  paper.units = [...units.slice(0, paragraphStart(units, start)), ...kept, ...units.slice(last + 1)]
}

/** Occurrences inside one paragraph each. */
export function replaceAll(paper: Paper, find: string, replacement: string, matchCase: boolean): number {
  const fold = (text: string) => (matchCase ? text : text.toLowerCase())
  const words = fold(paper.units.map(({ text }) => text || '\0').join(''))
  const places: number[] = []
  for (let at = words.indexOf(fold(find)); at !== -1; at = words.indexOf(fold(find), at + find.length)) {
    places.push(at)
  }
  for (const at of places.reverse()) {
    const style = paper.units[at]?.style
    const added = replacement.split('').map((text): Unit => ({ text, style }))
    paper.units = [...paper.units.slice(0, at), ...added, ...paper.units.slice(at + find.length)]
  }
  forgetEmptyRanges(paper)
  return places.length
}

export function forgetEmptyRanges(paper: Paper): void {
  const present = new Set(paper.units.flatMap(({ ranges }) => ranges ?? []))
  paper.namedRanges = paper.namedRanges.filter(({ id }) => present.has(id))
}

export function isBalanced(units: readonly Unit[]): boolean {
  let open = 0
  for (const { mark } of units) {
    if (mark === 'table') open += 1
    if (mark === 'table-end') open -= 1
    if (open < 0 || (open === 0 && (mark === 'row' || mark === 'cell'))) return false
  }
  return open === 0
}
