import { lexer, type Token } from 'marked'

/** Quotes and lists that deep nobody writes to be read, and parsers choke on them. */
const deepest = 50
const container = /(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]{0,3}/y
/** The same of such runs. */
const longestRuns = ['*', '!'].map((sign) => sign.repeat(1000))

/** A paragraph of so many characters with so many marks for emphasis costs seconds: each is compared with each. */
const longParagraph = 20_000
const mostMarks = 1_000

/** Cells of one table: each row gets as many as the first, so a short text can ask for millions. */
const mostCells = 20_000
const delimiterRow = /^[ \t|:-]+$/

/**
 * The blocks of a GitHub-flavoured Markdown text; undefined where it is nested so deeply, or so full of marks, that
 * nobody wrote it to be read. `marked` because it is one package without dependencies and 10 to 20 times as fast as
 * micromark: a hosted function has 2 s of CPU.
 */
export function readMarkdown(markdown: string): Token[] | undefined {
  if (isDeep(markdown) || isCostly(markdown) || hasHugeTable(markdown)) return undefined
  try {
    return lexer(markdown)
  } catch (error) {
    // Nested deeper than the stack goes.
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
