import { walkTokens } from 'marked'
import { readMarkdown } from '../../../shared/integrations/markdown/read-markdown.ts'

/** Characters that are parsed to see whether there is anything to remove; longer text is cleaned without parsing. */
const longestRead = 100_000

/**
 * Markdown without pictures and HTML: a converter would fetch their URLs, and so leak whatever a hostile text has put
 * into them. A picture becomes a link, a tag becomes plain text.
 */
export function withoutEmbeds(markdown: string): string {
  const tokens = markdown.length > longestRead ? undefined : readMarkdown(markdown)
  const kinds = new Set<string>()
  if (tokens) walkTokens(tokens, ({ type }) => void kinds.add(type))
  const isUnread = tokens === undefined
  // Text after `[^1]:` may be read as a footnote elsewhere, and has no token of its own here.
  const isHidden = isUnread || kinds.has('def')
  const pictureless = isHidden || kinds.has('image') ? markdown.replace(/(?<!!)!+\[/g, '[') : markdown
  return isHidden || kinds.has('html') ? pictureless.replace(/<(?=[a-z!?/])/gi, '&lt;') : pictureless
}
