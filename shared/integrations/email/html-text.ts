import { convert } from 'html-to-text'

/** Characters of one text that are read: one that was made to be slow costs a tenth of a second then. */
const longest = 100_000

/** What a person would read of HTML: no pictures, links with their address. Of what is too long the beginning. */
export function textOfHtml(html: string): string {
  return convert(html.slice(0, longest), {
    wordwrap: false,
    limits: { maxDepth: 60, maxBaseElements: 20, maxChildNodes: 5000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'block' },
    ],
  })
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
