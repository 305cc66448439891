import sanitizeHtml from 'sanitize-html'
import { Question } from '../../../shared/engine/core/tool-error.ts'

/** Formatting and links, and the frame of a page around them. */
const tags = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['html', 'head', 'body', 'title', 'meta'],
  ...['img', 'font', 'center', 'big', 'strike', 'tt', 'del', 'ins'],
]
/** None of them names a place from which a reader of mail would load something. */
const attributes = [
  ...['style', 'class', 'id', 'name', 'title', 'dir', 'lang', 'role', 'aria-*', 'data-*'],
  ...['align', 'valign', 'width', 'height', 'border', 'bgcolor', 'color', 'face', 'size'],
  ...['cellpadding', 'cellspacing', 'colspan', 'rowspan', 'start'],
]
/** What a style may hold: words, numbers and colours. Nothing loads without a function, and these are none. */
const plainStyle = /^(?:(?:rgb|hsl)a?\([\d\s,.%/]*\)|[\p{L}\p{N}\s;:,.#%'"!+/*_-])*$/iu
/** Without a scheme it is relative to wherever the reader is. */
const carriedPicture = /^(?:data:image\/|cid:)/i
/** Depth of nested tags: browsers stop here, too, and reading more would take longer and longer. */
const deepest = 512

/**
 * HTML of a draft that loads nothing when it is opened, written anew so that every reader reads it alike. Throws
 * Question where something had to be left out for that.
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

/** What is left of HTML, and the elements that it had before. */
function keepFormatting(source: string): { html: string; elements: string[] } {
  const elements: string[] = []
  let depth = 0
  const html = sanitizeHtml(source, {
    allowedTags: tags,
    allowedAttributes: { '*': attributes, a: ['href'], img: ['src', 'alt'], meta: ['charset'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data', 'cid'] },
    nonBooleanAttributes: [],
    // They are looked at here: the library looks at names of properties, too, and needs a list of all of them.
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
