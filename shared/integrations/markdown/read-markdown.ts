import { lexer, type Token } from 'marked'

/** Marks in a row after which a text is taken as it stands: no reader has a use for a list 100 deep, parsers choke on it. */
const deeplyNested = /(?:[*_~>[(!][ \t]?){100}|^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}|^[ \t]{400}/m

/** A paragraph of so many characters with so many marks for emphasis costs seconds: each is compared with each. */
const longParagraph = 20_000
const mostMarks = 1_000

/**
 * The blocks of a GitHub-flavoured Markdown text; undefined where it is nested so deeply, or so full of marks, that
 * nobody wrote it to be read. `marked` because it is one package without dependencies and 10 to 20 times as fast as
 * micromark: a hosted function has 2 s of CPU.
 */
export function readMarkdown(markdown: string): Token[] | undefined {
  if (deeplyNested.test(markdown) || isCostly(markdown)) return undefined
  try {
    return lexer(markdown)
  } catch (error) {
    // Nested deeper than the stack goes.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isCostly(markdown: string): boolean {
  if (markdown.length < longParagraph) return false
  const paragraphs = markdown.split(/\n[ \t]*\n/)
  return paragraphs.some(
    (text) => text.length > longParagraph && (text.match(/[*_~]/g)?.length ?? 0) > mostMarks,
  )
}
