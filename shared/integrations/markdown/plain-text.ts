import { blocksOf } from './page.ts'
import { readMarkdown } from './read-markdown.ts'
import { textOf } from './styled-text.ts'

/** The text of Markdown without its markup, one line per paragraph. */
export function plainText(markdown: string): string {
  const tokens = readMarkdown(markdown)
  if (!tokens) return markdown
  return blocksOf(tokens)
    .map((block) => (block.kind === 'table' ? block.rows.flat().map(textOf).join(' ') : textOf(block.runs)))
    .join('\n')
}
