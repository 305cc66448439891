import { lexer, type Token } from 'marked'

/** Nobody nests quotes and lists this deeply in a real text, and parsers choke on it. */
const deepest = 50
const container = /(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]{0,3}/y
/** The same for runs of these. */
const longestRuns = ['*', '!'].map((sign) => sign.repeat(1000))

/** A paragraph this long with many emphasis marks costs seconds, because each mark is compared with every other. */
const longParagraph = 20_000
const mostMarks = 1_000

/** Cells of one table: each row gets as many as the first, so a short text can create millions. */
const mostCells = 20_000
const delimiterRow = /^[ \t|:-]+$/

/**
 * The blocks of a GitHub-flavoured Markdown text; undefined if it is nested so deeply, or so full of marks, that it is
 * no real text. Uses `marked` because it is a single package without dependencies and 10 to 20 times as fast as
 * micromark: a hosted function has 2 s of CPU.
 */
export function readMarkdown(markdown: string): Token[] | undefined {
  if (isDeep(markdown) || isCostly(markdown) || hasHugeTable(markdown)) return undefined
  try {
    return lexer(markdown)
  } catch (error) {
    // Nested deeper than the stack allows.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isDeep(markdown: string): boolean {
  if (longestRuns.some((run) => markdown.includes(run))) return true
  return markdown.split('\n').some((line) => {
    container.lastIndex = 0
    let depth = 0
    while (depth < deepest && container.test(line)) depth += 1
    return depth === deepest
  })
}

function hasHugeTable(markdown: string): boolean {
  let rowsBelow = 0
  return markdown
    .split('\n')
    .reverse()
    .some((line) => {
      const rows = rowsBelow
      rowsBelow = line.trim() === '' ? 0 : rowsBelow + 1
      return line.includes('-') && delimiterRow.test(line) && line.split('|').length * rows > mostCells
    })
}

function isCostly(markdown: string): boolean {
  if (markdown.length < longParagraph) return false
  const paragraphs = markdown.split(/\n[ \t]*\n/)
  return paragraphs.some(
    (text) => text.length > longParagraph && (text.match(/[*_~]/g)?.length ?? 0) > mostMarks,
  )
}
