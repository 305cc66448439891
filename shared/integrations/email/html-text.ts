import { convert } from 'html-to-text'

/** Characters of one text that are read: a malicious one then costs a tenth of a second. */
const longest = 100_000

/** HTML as text: no pictures, links with their URL. Text that is too long is cut. */
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
