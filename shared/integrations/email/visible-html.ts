import { Parser } from 'htmlparser2'
import { isSeen, plainStyle, type SeenStyle, styleWithin } from './seen-style.ts'
import {
  type Declarations,
  type FindRules,
  readDeclarations,
  readStyles,
  type StyledElement,
  TooManyRules,
} from './style-rules.ts'

/** What of a page a person sees. */
export interface VisibleHtml {
  /** Its text with the tags that give it a form, without any other attribute than the addresses of links. */
  html: string
  /** What stands for its pictures. */
  pictures: string[]
  /** Read to its end. */
  isWhole: boolean
}

/** Elements that mail programs never show, with all that is in them. */
const never = new Set(
  'script style title template noscript iframe object embed audio video canvas svg select datalist textarea meter progress noframes noembed applet annotation rp'.split(
    ' ',
  ),
)
/** Tags that are kept. */
const kept = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table tr a section article header footer main address'.split(
    ' ',
  ),
)
/** Browsers stop there, too, and parsing deeper gets slower and slower. */
const deepest = 512
/** Characters of the result. */
const longest = 100_000
/** Pixels; a smaller picture is a counter of readers. */
const smallestPicture = 3

interface OpenElement extends StyledElement {
  style: SeenStyle
  children: StyledElement[]
}

class EndOfPage extends Error {}

/** The part of a page that can be seen on a large screen. Text in the color of its background cannot, nor can comments. */
export function visibleHtml(source: string): VisibleHtml {
  const page: VisibleHtml = { html: '', pictures: [], isWhole: false }
  const findRules = readStyles(stylesOf(source))
  const root = openElement('', {}, undefined, plainStyle)
  const open = [root]
  const add = (text: string) => {
    if (page.html.length + text.length > longest) throw new EndOfPage()
    page.html += text
  }
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const outer = open.at(-1) ?? root
        const element = openElement(tag, attributes, outer, outer.style)
        element.style = styleWithin(outer.style, tag, declarationsOf(element, attributes, findRules))
        if (never.has(tag)) element.style = { ...element.style, isGone: true }
        outer.children.push(element)
        open.push(element)
        if (open.length > deepest) throw new EndOfPage()
        const { isGone } = element.style
        if (tag === 'img' && isSeen({ ...element.style, color: undefined })) addPicture(page, attributes)
        if (!isGone && (tag === 'td' || tag === 'th')) add(' ')
        if (!isGone && kept.has(tag)) add(`<${tag}${keptAttributes(tag, attributes)}>`)
      },
      ontext(text) {
        if (isSeen((open.at(-1) ?? root).style)) add(text)
      },
      onclosetag(tag) {
        const element = open.length > 1 ? open.pop() : undefined
        if (element && !element.style.isGone && kept.has(tag) && tag !== 'br' && tag !== 'hr')
          add(`</${tag}>`)
      },
    },
    // Text stays as it is written: it is parsed again.
    { decodeEntities: false },
  )
  try {
    parser.write(source)
    parser.end()
    page.isWhole = true
  } catch (error) {
    if (!(error instanceof EndOfPage || error instanceof TooManyRules)) throw error
  }
  return page
}

function openElement(
  tag: string,
  attributes: Record<string, string>,
  parent: OpenElement | undefined,
  style: SeenStyle,
): OpenElement {
  const classes = new Set((attributes.class ?? '').split(/\s+/).filter(Boolean).slice(0, 50))
  const siblings = parent?.children ?? []
  return {
    tag,
    id: attributes.id ?? '',
    classes,
    parent,
    siblings,
    position: siblings.length,
    style,
    children: [],
  }
}

/** All that is said about how an element looks, weakest first. */
function declarationsOf(
  element: StyledElement,
  attributes: Record<string, string>,
  findRules: FindRules,
): Declarations[] {
  const own = attributes.style === undefined ? [] : [readDeclarations(decodeEntities(attributes.style))]
  return [...attributeStyles(element.tag, attributes), ...findRules(element), ...own]
}

/** Attributes from before there were styles (https://html.spec.whatwg.org/multipage/rendering.html). */
function attributeStyles(tag: string, attributes: Record<string, string>): Declarations[] {
  const { hidden, bgcolor, background, color, text } = attributes
  const styles = [
    hidden !== undefined ? 'display: none' : '',
    tag === 'dialog' && attributes.open === undefined ? 'display: none' : '',
    bgcolor ? `background-color: ${bgcolor}` : '',
    background ? 'background-image: url()' : '',
    tag === 'font' && color ? `color: ${color}` : '',
    tag === 'body' && text ? `color: ${text}` : '',
  ].filter(Boolean)
  return styles.length > 0 ? [readDeclarations(styles.join(';'))] : []
}

/** In a style, only quotes and escaped letters matter. */
function decodeEntities(text: string): string {
  return text.includes('&')
    ? text
        .replace(/&#x([\da-f]{1,6});?/gi, (_, hex) =>
          String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
        )
        .replace(/&#(\d{1,7});?/g, (_, digits) => String.fromCodePoint(Math.min(Number(digits), 0x10ffff)))
        .replace(/&(?:colon|semi|quot|nbsp|Tab|NewLine);/g, (entity) => entities[entity] ?? entity)
    : text
}

const entities: Record<string, string> = {
  ...{ '&colon;': ':', '&semi;': ';', '&quot;': '"' },
  ...{ '&nbsp;': ' ', '&Tab;': ' ', '&NewLine;': ' ' },
}

function keptAttributes(tag: string, { href, start }: Record<string, string>): string {
  if (tag === 'a' && href) return ` href="${href.replaceAll('"', '&quot;')}"`
  return tag === 'ol' && start && /^\d{1,6}$/.test(start) ? ` start="${start}"` : ''
}

function addPicture(page: VisibleHtml, { alt = '', width = '', height = '' }: Record<string, string>): void {
  const isCounter = [width, height].some((size) => size !== '' && Number.parseFloat(size) < smallestPicture)
  if (alt.trim() !== '' && !isCounter) page.pictures.push(alt.trim())
}

/** The text of all style elements for a screen. */
function stylesOf(source: string): string {
  if (!/<style/i.test(source)) return ''
  const styles: string[] = []
  let isInside = false
  const parser = new Parser({
    onopentag(tag, { media = 'all' }) {
      if (tag === 'style') isInside = ['', 'all', 'screen'].includes(media.trim().toLowerCase())
    },
    ontext(text) {
      if (isInside) styles.push(text)
    },
    onclosetag(tag) {
      if (tag === 'style') isInside = false
    },
  })
  parser.write(source)
  parser.end()
  return styles.join('')
}
