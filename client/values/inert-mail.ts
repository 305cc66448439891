import sanitizeHtml from 'sanitize-html'

/** Formatting only: nothing that loads, links, submits or runs. */
const tags = [
  ...sanitizeHtml.defaults.allowedTags,
  'img',
  'font',
  'center',
  'big',
  'strike',
  'tt',
  'del',
  'ins',
]
/** None of them contains a URL. */
const attributes = [
  ...['style', 'title', 'dir', 'lang', 'align', 'valign', 'width', 'height', 'border', 'bgcolor', 'color'],
  ...['face', 'size', 'cellpadding', 'cellspacing', 'colspan', 'rowspan', 'start'],
]
/** Allowed styles: words, numbers and colours. Loading anything takes a function, and none is allowed. */
const plainStyle = /^(?:(?:rgb|hsl)a?\([\d\s,.%/]*\)|[\p{L}\p{N}\s:,.#%'"!+/*_-])*$/iu
/** Maximum nesting of tags: browsers stop here too, and parsing deeper gets slower and slower. */
const deepest = 512
/** In case a browser tries to load something anyway. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/**
 * The HTML of a mail as a page that can only be looked at. It is sanitised outside the browser, so no browser ever parses
 * what is left out. A link's target becomes its title. Throws if it is nested too deeply.
 */
export function inertMail(html: string): string {
  let depth = 0
  const inert = sanitizeHtml(html, {
    allowedTags: tags,
    allowedAttributes: { '*': attributes, img: ['src', 'alt'] },
    allowedSchemesByTag: { img: ['data'] },
    nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript'],
    // Styles are checked here: the library can only do that in Node.
    parseStyleAttributes: false,
    onOpenTag: () => {
      if (++depth > deepest) throw new Error('This HTML is nested too deeply.')
    },
    onCloseTag: () => void depth--,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(attribs).flatMap(inertAttribute)),
      }),
    },
  })
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${inert}`
}

function inertAttribute([name, value]: [string, string]): [string, string][] {
  if (name === 'href') return [['title', value]]
  if (name === 'src') return /^data:image\//i.test(value) ? [[name, value]] : []
  if (name !== 'style') return [[name, value]]
  const kept = value.split(';').filter((one) => plainStyle.test(one))
  return [[name, kept.join(';')]]
}
