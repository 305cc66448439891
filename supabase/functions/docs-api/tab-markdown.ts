import type { GoogleTab } from './google-document.ts'
import {
  chipOf,
  elementsOf,
  membersOf,
  type ParagraphElement,
  suggestionFor,
  textOfRun,
} from './paragraph-element.ts'

/** Marks around suggested text, as CriticMarkup has them. */
const marks = { added: ['{++', '++}'], removed: ['{--', '--}'] } as const
const anyMark = /\{(?:\+\+|--)|(?:\+\+|--)\}/g

/** Text without the marks of suggestions. */
export function withoutSuggestionMarks(text: string): string {
  return text.replace(anyMark, '')
}

/** Glyphs of numbered lists (NestingLevel.glyphType). */
const numbered = new Set(['DECIMAL', 'ZERO_DECIMAL', 'UPPER_ALPHA', 'ALPHA', 'UPPER_ROMAN', 'ROMAN'])
const monospaced = /mono|courier|consolas/i
/** Docs marks its own building blocks with characters of the private use areas, which nobody sees. */
const unseen = /[\ue000-\uf8ff]/g

/** Text of one style. */
interface Run {
  text: string
  style: { bold?: true; italic?: true; strikethrough?: true; code?: true; url?: string }
  suggestion: 'added' | 'removed' | undefined
  /** Is Markdown already. */
  isWritten?: true
}

type Content = GoogleTab['content']

/**
 * A tab as Markdown, as somebody who opens it sees it: smart chips are their words, suggested text stands between
 * `{++` and `++}`, text that is suggested to be removed between `{--` and `--}`. Drive's own export has all tabs in one
 * text and does not say which is which.
 */
export function tabMarkdown({ content }: Pick<GoogleTab, 'content'>): {
  text: string
  hasSuggestions: boolean
} {
  const writer = new TabWriter(content)
  writer.write(content.body.content)
  writer.writeFootnotes()
  return { text: writer.lines.join('\n').trimEnd(), hasSuggestions: writer.hasSuggestions }
}

class TabWriter {
  lines: string[] = []
  hasSuggestions = false
  private wasItem = false
  private readonly counters = new Map<string, number[]>()
  private readonly footnotes = new Map<string, string>()
  private readonly content: Content
  constructor(content: Content) {
    this.content = content
  }

  write(elements: unknown): void {
    for (const element of Array.isArray(elements) ? elements : []) {
      const { paragraph, table, tableOfContents } = membersOf(element)
      if (paragraph) this.writeParagraph(membersOf(paragraph))
      if (table) this.writeBlock(this.table(membersOf(table)))
      if (tableOfContents) this.write(membersOf(tableOfContents).content)
    }
  }

  writeFootnotes(): void {
    for (const [id, number] of this.footnotes) {
      const { content } = membersOf(membersOf(this.content.footnotes)[id])
      this.writeBlock(`[^${number}]: ${this.flat(content, ' ')}`)
    }
  }

  private writeParagraph(paragraph: Record<string, unknown>): void {
    const { namedStyleType, borderBottom } = membersOf(paragraph.paragraphStyle)
    const text = this.inline(paragraph).replaceAll('\v', '  \n')
    const level = namedStyleType === 'TITLE' ? '1' : /^HEADING_(\d)$/.exec(String(namedStyleType))?.[1]
    if (paragraph.bullet) this.writeItem(membersOf(paragraph.bullet), text)
    else if (text.trim() === '') this.writeBlock(borderBottom ? '---' : '')
    else if (level) this.writeBlock(`${'#'.repeat(Number(level))} ${text}`)
    else this.writeBlock(escapeBeginning(text))
  }

  private writeItem({ listId, nestingLevel }: Record<string, unknown>, text: string): void {
    const level = typeof nestingLevel === 'number' ? nestingLevel : 0
    const list = membersOf(membersOf(membersOf(this.content.lists)[String(listId)]).listProperties)
    const levels = Array.isArray(list.nestingLevels) ? list.nestingLevels : []
    const isNumbered = numbered.has(String(membersOf(levels[level]).glyphType))
    const counts = (this.counters.get(String(listId)) ?? []).slice(0, level + 1)
    counts[level] = (counts[level] ?? 0) + 1
    this.counters.set(String(listId), counts)
    if (text.trim() === '') return
    const indent = (isNumbered ? '   ' : '  ').repeat(level)
    this.lines.push(`${indent}${isNumbered ? `${counts[level]}.` : '*'} ${text}`)
    this.wasItem = true
  }

  private writeBlock(text: string): void {
    if (text === '') return
    this.lines.push(...(this.wasItem ? [''] : []), text, '')
    this.wasItem = false
  }

  private table({ tableRows }: Record<string, unknown>): string {
    const rows = (Array.isArray(tableRows) ? tableRows : []).map((row) => {
      const { tableCells } = membersOf(row)
      return (Array.isArray(tableCells) ? tableCells : []).map((cell) =>
        this.flat(membersOf(cell).content, '<br>').replaceAll('|', '\\|'),
      )
    })
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const [head, ...body] = rows
    return head ? [line(head), line(head.map(() => '----')), ...body.map(line)].join('\n') : ''
  }

  /** The paragraphs of a cell or a footnote in one line. */
  private flat(content: unknown, between: string): string {
    const parts = (Array.isArray(content) ? content : []).flatMap((element) => {
      const { paragraph, table } = membersOf(element)
      if (paragraph) return [this.inline(membersOf(paragraph)).replaceAll('\v', between).trim()]
      const { tableRows } = membersOf(table)
      const cells = (Array.isArray(tableRows) ? tableRows : []).flatMap(
        (row) => membersOf(row).tableCells ?? [],
      )
      return cells.map((cell) => this.flat(membersOf(cell).content, between))
    })
    return parts.filter((part) => part !== '').join(between)
  }

  private inline(paragraph: Record<string, unknown>): string {
    const runs: Run[] = []
    for (const element of elementsOf(paragraph)) {
      const run = this.run(element)
      const last = runs.at(-1)
      const isSame = last && !last.isWritten && !run.isWritten && keyOf(last) === keyOf(run)
      if (isSame) last.text += run.text
      else if (run.text !== '') runs.push(run)
    }
    const last = runs.at(-1)
    if (last) last.text = last.text.replace(/\n$/, '')
    return runs.map(writeRun).join('')
  }

  private run(element: ParagraphElement): Run {
    const suggestion = suggestionFor(element)
    this.hasSuggestions ||= suggestion !== undefined
    const text = textOfRun(element)
    if (text !== undefined)
      return {
        text: text.replace(unseen, ''),
        style: styleOf(membersOf(element.textRun).textStyle),
        suggestion,
      }
    const chip = chipOf(element)
    if (chip) return { text: chip.text, style: chip.url ? { url: chip.url } : {}, suggestion }
    return { text: this.otherThing(element), style: {}, suggestion, isWritten: true }
  }

  /** What is no text: a picture, a line, a footnote. */
  private otherThing(element: ParagraphElement): string {
    if (element.horizontalRule) return '---'
    if (element.equation) return '[equation]'
    if (element.footnoteReference) {
      const { footnoteId, footnoteNumber } = membersOf(element.footnoteReference)
      const number = String(footnoteNumber ?? this.footnotes.size + 1)
      this.footnotes.set(String(footnoteId), number)
      return `[^${number}]`
    }
    if (!element.inlineObjectElement) return ''
    const { inlineObjectId } = membersOf(element.inlineObjectElement)
    const { inlineObjectProperties } = membersOf(
      membersOf(this.content.inlineObjects)[String(inlineObjectId)],
    )
    const { title, description } = membersOf(membersOf(inlineObjectProperties).embeddedObject)
    const about = [title, description].find((words) => typeof words === 'string' && words.trim() !== '')
    return about === undefined ? '[picture]' : `[picture: ${escaped(String(about).replace(/\s+/g, ' '))}]`
  }
}

function keyOf({ style, suggestion }: Run): string {
  return JSON.stringify([suggestion, style])
}

function styleOf(value: unknown): Run['style'] {
  const { bold, italic, strikethrough, link, weightedFontFamily } = membersOf(value)
  const { url } = membersOf(link)
  const isCode = monospaced.test(String(membersOf(weightedFontFamily).fontFamily))
  return {
    ...(bold === true ? { bold } : {}),
    ...(italic === true ? { italic } : {}),
    ...(strikethrough === true ? { strikethrough } : {}),
    ...(isCode ? { code: true as const } : {}),
    ...(typeof url === 'string' ? { url } : {}),
  }
}

function writeRun({ text, style, suggestion, isWritten }: Run): string {
  const written = isWritten ? text : styled(text, style)
  const [begin, end] = suggestion && written !== '' ? marks[suggestion] : ['', '']
  return `${begin}${written}${end}`
}

/** The marks of a style stand at its words: `** a**` would be no emphasis. */
function styled(text: string, { bold, italic, strikethrough, code, url }: Run['style']): string {
  const core = text.trim()
  if (core === '') return text
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  let marked = code && !core.includes('`') && !core.includes('\v') ? `\`${core}\`` : escaped(core)
  if (bold) marked = `**${marked}**`
  if (italic) marked = `*${marked}*`
  if (strikethrough) marked = `~~${marked}~~`
  if (url !== undefined) marked = url === core ? core : `[${marked}](${url})`
  return `${before}${marked}${after}`
}

/** Its marks would become part of an address. */
const address = /(https?:\/\/[^\s<>]+)/
/** One tilde alone strikes nothing out, and `~100` is common. The words of a link are looked for in 500 characters. */
const mark = /[\\`*<]|&(?=#?\w{1,31};)|\[(?=[^\]\n]{0,500}\][([:]|\^)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const markOrTilde = new RegExp(`${mark.source}|~`, 'gu')

/** Only what would be a mark: the text is also copied from here into calls that change it. */
function escaped(text: string): string {
  const wanted = text.indexOf('~') === text.lastIndexOf('~') ? mark : markOrTilde
  const parts = text.split(address)
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(wanted, '\\$&'))).join('')
}

/** What would be a heading, a quote or an item at the beginning of a paragraph. */
function escapeBeginning(text: string): string {
  return text
    .replace(/^(\s*)(#{1,6}(?!\S)|>|[-+](?!\S)|---|===)/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)](?!\S))/, '$1\\$2')
}
