import { compile } from 'html-to-text'
import { visibleHtml } from './visible-html.ts'

/** Characters that are read of one page, most of which are styles and addresses. */
const longest = 500_000

const leftOut = '[The rest of this email is left out.]'

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 100, maxBaseElements: 20, maxChildNodes: 20_000 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block' },
  ],
})

/** The text of HTML that a person sees, links with their URL. Where there are only pictures, what stands for them. */
export function textOfHtml(source: string): string {
  const { html, pictures, isWhole } = visibleHtml(source.slice(0, longest))
  const text = textOf(html.replace(/<a href="[^"]*">\s*<\/a>/g, ''))
  const shown = text === '' ? pictures.map((alt) => `[Picture: ${textOf(alt)}]`).join('\n') : text
  return isWhole && source.length <= longest ? shown : `${shown}\n${leftOut}`
}

function textOf(html: string): string {
  const lines = convert(html).split('\n')
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
