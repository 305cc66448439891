import { blocksOf } from './page.ts'
import { readMarkdown } from './read-markdown.ts'
import { textOf } from './styled-text.ts'

/** The words of a Markdown text without its marks, a line for each paragraph. */
export function plainText(markdown: string): string {
  const tokens = readMarkdown(markdown)
  if (!tokens) return markdown
  return blocksOf(tokens)
    .map((block) => (block.kind === 'table' ? block.rows.flat().map(textOf).join(' ') : textOf(block.runs)))
    .join('\n')
}
