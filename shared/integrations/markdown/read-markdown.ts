import { lexer, type Token } from 'marked'

/** Marks in a row after which a text is taken as it stands: no reader has a use for a list 100 deep, parsers choke on it. */
const deeplyNested = /(?:[*_~>[(!][ \t]?){100}|^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}|^[ \t]{400}/m

/**
 * The blocks of a GitHub-flavoured Markdown text; undefined where it is nested so deeply that nobody wrote it to be
 * read. `marked` because it is one package without dependencies and 10 to 20 times as fast as micromark: 1 MB has to
 * fit into the 2 s of CPU that a hosted function has.
 */
export function readMarkdown(markdown: string): Token[] | undefined {
  if (deeplyNested.test(markdown)) return undefined
  try {
    return lexer(markdown)
  } catch (error) {
    // Nested deeper than the stack goes.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
