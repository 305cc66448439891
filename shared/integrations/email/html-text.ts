import { convert } from 'html-to-text'

/** Characters that are read; of what is longer the beginning. */
const longest = 300_000

/** What a person would read of a mail that comes as HTML alone: no pictures, links with their address. */
export function textOfHtml(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: longest, maxDepth: 60, maxBaseElements: 20, maxChildNodes: 5000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, noAnchorUrl: true } },
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
