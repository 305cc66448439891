import sanitizeHtml from 'sanitize-html'

/** Formatting, and nothing that loads, links, asks or runs. */
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
/** None of them names a place. */
const attributes = [
  ...['style', 'title', 'dir', 'lang', 'align', 'valign', 'width', 'height', 'border', 'bgcolor', 'color'],
  ...['face', 'size', 'cellpadding', 'cellspacing', 'colspan', 'rowspan', 'start'],
]
/** What of a style is kept: words, numbers and colours. Nothing loads without a function, and these are none. */
const plainStyle = /^(?:(?:rgb|hsl)a?\([\d\s,.%/]*\)|[\p{L}\p{N}\s:,.#%'"!+/*_-])*$/iu
/** Depth of nested tags: browsers stop here, too, and reading more would take longer and longer. */
const deepest = 512
/** In case a browser would load something all the same. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/**
 * The HTML of a mail as a page that only shows it: parsed outside the browser, so that no browser ever reads
 * what is left out. Where a link led, its title says. Throws where it is nested too deeply.
 */
export function inertMail(html: string): string {
  let depth = 0
  const inert = sanitizeHtml(html, {
    allowedTags: tags,
    allowedAttributes: { '*': attributes, img: ['src', 'alt'] },
    allowedSchemesByTag: { img: ['data'] },
    nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript'],
    // They are looked at here: the library can do that only in Node.
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
