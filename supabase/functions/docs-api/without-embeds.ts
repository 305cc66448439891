import { walkTokens } from 'marked'
import { readMarkdown } from '../../../shared/integrations/markdown/read-markdown.ts'

/** Characters that are read to know whether there is anything to take out; of a longer text it is taken out unread. */
const longestRead = 100_000

/**
 * Markdown without pictures and HTML: whoever converts it would fetch an address that stands in it, and so carry out of
 * here what a hostile text has put into that address. A picture becomes a link, a tag the text that it is.
 */
export function withoutEmbeds(markdown: string): string {
  const tokens = markdown.length > longestRead ? undefined : readMarkdown(markdown)
  const kinds = new Set<string>()
  if (tokens) walkTokens(tokens, ({ type }) => void kinds.add(type))
  const isUnread = tokens === undefined
  // What stands behind `[^1]:` may be read as a footnote elsewhere, and is no token of its own here.
  const isHidden = isUnread || kinds.has('def')
  const pictureless = isHidden || kinds.has('image') ? markdown.replace(/(?<!!)!+\[/g, '[') : markdown
  return isHidden || kinds.has('html') ? pictureless.replace(/<(?=[a-z!?/])/gi, '&lt;') : pictureless
}
