import sanitizeHtml from 'sanitize-html'
import { Question } from '../../../shared/engine/core/tool-error.ts'

/** Formatting and links, and the frame of a page around them. */
const tags = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['html', 'head', 'body', 'title', 'meta'],
  ...['img', 'font', 'center', 'big', 'strike', 'tt', 'del', 'ins'],
]
/** None of them contains a URL that a mail program would load. */
const attributes = [
  ...['style', 'class', 'id', 'name', 'title', 'dir', 'lang', 'role', 'aria-*', 'data-*'],
  ...['align', 'valign', 'width', 'height', 'border', 'bgcolor', 'color', 'face', 'size'],
  ...['cellpadding', 'cellspacing', 'colspan', 'rowspan', 'start'],
]
/** Allowed styles: words, numbers and colours. Loading anything takes a function, and none is allowed. */
const plainStyle = /^(?:(?:rgb|hsl)a?\([\d\s,.%/]*\)|[\p{L}\p{N}\s;:,.#%'"!+/*_-])*$/iu
/** Without a scheme it would be relative to wherever the reader is. */
const carriedPicture = /^(?:data:image\/|cid:)/i
/** Maximum nesting of tags: browsers stop here too, and parsing deeper gets slower and slower. */
const deepest = 512

/**
 * HTML of a draft that loads nothing when it is opened, rewritten so that every mail program parses it the same way.
 * Throws a Question if something had to be removed for that.
 */
export function inertHtml(source: string): string {
  const before = keepFormatting(source)
  const after = keepFormatting(before.html)
  if (before.elements.join() === after.elements.join()) return before.html
  throw new Question(
    'A draft must not load anything from the web. What should its HTML be with only formatting, links and style attributes? Leave out style blocks, forms, scripts and pictures from the web; attach pictures instead.',
    { parameter: 'html' },
  )
}

/** The remaining HTML, and the elements that it had before. */
function keepFormatting(source: string): { html: string; elements: string[] } {
  const elements: string[] = []
  let depth = 0
  const html = sanitizeHtml(source, {
    allowedTags: tags,
    allowedAttributes: { '*': attributes, a: ['href'], img: ['src', 'alt'], meta: ['charset'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data', 'cid'] },
    nonBooleanAttributes: [],
    // Styles are checked here: the library also checks property names, and would need a complete list.
    parseStyleAttributes: false,
    onOpenTag(name, attribs) {
      elements.push(JSON.stringify([name, attribs]))
      if (++depth <= deepest) return
      throw new Question('This HTML is nested too deeply. What should it be with fewer nested tags?', {
        parameter: 'html',
      })
    },
    onCloseTag: () => void depth--,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(attribs).filter(loadsNothing)),
      }),
    },
  })
  return { html, elements }
}

function loadsNothing([name, value]: [string, string]): boolean {
  if (name === 'src') return carriedPicture.test(value)
  return name !== 'style' || plainStyle.test(value)
}
