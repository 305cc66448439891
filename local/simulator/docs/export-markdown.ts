import type { FileTab } from './drive-file.ts'
import { isText, type Paper, paragraphEnd, type Unit } from './paper.ts'

/** All tabs of a document, as files.export writes them: with several, each below its title. */
export function exportTabs(tabs: readonly FileTab[]): string {
  const parts = tabs.map(({ title, paper }) =>
    tabs.length === 1 ? exportMarkdown(paper) : `# ${title}\n\n${exportMarkdown(paper)}`,
  )
  return parts.join('\n')
}

/** A paper as files.export writes it for `text/markdown`: escaped as Google does, code by its font. */
export function exportMarkdown(paper: Paper): string {
  const blocks: string[] = []
  const { units } = paper
  let wasItem = false
  for (let at = 0; at < units.length; ) {
    if (units[at]?.mark === 'table') {
      const end = tableEnd(units, at)
      blocks.push(tableText(units.slice(at, end + 1)), '')
      wasItem = false
      at = end + 1
      continue
    }
    const end = paragraphEnd(units, at)
    const line = paragraphText(units.slice(at, end), units[end])
    const isItem = units[end]?.bullet !== undefined
    if (wasItem && !isItem) blocks.push('')
    if (line !== '') blocks.push(line, ...(isItem ? [] : ['']))
    wasItem = isItem
    at = end + 1
  }
  return `${blocks.join('\n').trimEnd()}\n`
}

function tableEnd(units: readonly Unit[], start: number): number {
  let open = 0
  for (let at = start; ; at++) {
    if (units[at]?.mark === 'table') open += 1
    if (units[at]?.mark === 'table-end') open -= 1
    if (open === 0) return at
  }
}

function tableText(units: readonly Unit[]): string {
  const rows: string[][] = []
  for (let at = 0; at < units.length; at++) {
    if (units[at]?.mark === 'row') rows.push([])
    if (units[at]?.mark === 'cell') {
      const end = paragraphEnd(units, at)
      rows.at(-1)?.push(runsText(units.slice(at + 1, end)))
    }
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(head.map(() => '----')), ...body.map(line)].join('\n')
}

function paragraphText(units: readonly Unit[], end: Unit | undefined): string {
  const text = runsText(units.filter(isText))
  const level = /^HEADING_(\d)$/.exec(String(end?.paragraph?.namedStyleType))?.[1]
  if (end?.paragraph?.borderBottom && text === '') return '---'
  if (level) return `${'#'.repeat(Number(level))} ${text}`
  if (end?.bullet) {
    const { nestingLevel, ordered } = end.bullet
    return `${(ordered ? '   ' : '  ').repeat(nestingLevel)}${ordered ? '1.' : '*'} ${text}`
  }
  return end?.paragraph?.indentStart && text !== '' ? `> ${text}` : text
}

function runsText(units: readonly Unit[]): string {
  const runs: { text: string; style: Record<string, unknown> }[] = []
  for (const { text, style = {} } of units) {
    const last = runs.at(-1)
    if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += text
    else runs.push({ text, style })
  }
  return runs.map(({ text, style }) => runText(text, style)).join('')
}

function runText(text: string, style: Record<string, unknown>): string {
  if (text.trim() === '') return text
  const core = text.trim()
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  let marked = style.weightedFontFamily ? `\`${core}\`` : core.replace(/[\\`*_[\]<>#|~]/g, '\\$&')
  if (style.bold) marked = `**${marked}**`
  if (style.italic) marked = `*${marked}*`
  if (style.strikethrough) marked = `~~${marked}~~`
  const url = (style.link as { url?: string } | undefined)?.url
  if (url) marked = `[${marked}](${url})`
  return `${before}${marked}${after}`.replaceAll('\v', '  \n')
}
