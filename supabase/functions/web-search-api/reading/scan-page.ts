import { Parser } from 'htmlparser2'
import type { ParseTime } from './parse-time.ts'

/** What one pass over a page finds, without building a tree. */
export interface ScannedPage {
  title: string
  description: string
  /** All text that a person would read, including menus. */
  text: string
  elements: number
  /** Elements, attributes, texts and comments: the size that a tree of it would have. */
  nodes: number
  depth: number
  /** Read to its end. */
  isWhole: boolean
}

/** Characters that are parsed between two checks of the clock. */
const pieceLength = 16_384
/** Nobody writes such pages by hand, and parsing time grows with the square of the depth. */
const deepest = 1_000
const mostNodes = 300_000

const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'footer', 'form', 'select'])
const blocks = new Set('p div section article li tr h1 h2 h3 h4 h5 h6 br td pre blockquote'.split(' '))

class EndOfScan extends Error {}

/** Reads a page in chunks until it ends or gets too large; what was read until then counts. Throws OutOfTime. */
export function scanPage(html: string, time: ParseTime): ScannedPage {
  const page: ScannedPage = {
    title: '',
    description: '',
    text: '',
    elements: 0,
    nodes: 0,
    depth: 0,
    isWhole: false,
  }
  const texts: string[] = []
  let [open, skipped, titleAt] = [0, 0, 0]
  const parser = new Parser({
    onopentag(name, attributes) {
      page.elements++
      page.nodes++
      open++
      page.depth = Math.max(page.depth, open)
      if (open > deepest || page.nodes > mostNodes) throw new EndOfScan()
      if (unread.has(name)) skipped++
      else if (blocks.has(name)) texts.push('\n')
      if (name === 'title' && page.title === '') titleAt = open
      if (name === 'meta' && /^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? ''))
        page.description ||= attributes.content ?? ''
    },
    ontext(text) {
      page.nodes++
      if (titleAt > 0) page.title += text
      else if (skipped === 0) texts.push(text)
    },
    onattribute() {
      if (++page.nodes > mostNodes) throw new EndOfScan()
    },
    oncomment() {
      page.nodes++
    },
    onclosetag(name) {
      open--
      if (unread.has(name)) skipped--
      if (name === 'title') titleAt = 0
    },
  })
  try {
    for (let at = 0; at < html.length; at += pieceLength)
      time.spend(() => parser.write(html.slice(at, at + pieceLength)))
    time.spend(() => parser.end())
    page.isWhole = true
  } catch (error) {
    if (!(error instanceof EndOfScan)) throw error
  }
  page.text = time.spend(() => tidy(texts.join('')))
  page.title = tidy(page.title).slice(0, 300)
  return page
}

/** One space between words, one empty line between paragraphs. */
export function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
